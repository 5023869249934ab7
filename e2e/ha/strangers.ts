import { request } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import pg from 'pg';
import { proofOf, type Proof } from './certificates.ts';
import { adminUrlOf } from './cluster.ts';
import type { Host } from './network.ts';
import type { Drill } from './system.ts';

/** Who refuses says so within this time, on a busy machine, too. */
const REFUSED_WITHIN_MS = 10_000;
/** RabbitMQ's nodes wait longer than this for the first word of another node. */
const ADMITTED_AFTER_MS = 3_000;

/** `served`, or why not. */
type Outcome = string;
const SERVED = 'served';

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);

/** Asks without TLS. */
const askPlainly = async (url: string): Promise<Outcome> =>
  fetch(url, { signal: AbortSignal.timeout(REFUSED_WITHIN_MS) }).then(
    ({ ok, status }) => (ok ? SERVED : String(status)),
    (error: unknown) => codeOf(error instanceof Error ? error.cause : error),
  );

const askSecurely = (method: string, url: string, proof?: Proof): Promise<Outcome> =>
  new Promise((resolve) => {
    const options = { method, ...proof, agent: false, timeout: REFUSED_WITHIN_MS };
    const asked = request(url, options, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(statusCode < 300 ? SERVED : String(statusCode));
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', (error) => {
      resolve(codeOf(error));
    });
    asked.end();
  });

/** Connects as one node of RabbitMQ does to another. */
const joinNode = (host: Host, proof?: Proof): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = connectTls({ host, port: 25_672, servername: host, ...proof });
    const end = (outcome: Outcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('secureConnect', () => {
      setTimeout(end, ADMITTED_AFTER_MS, SERVED);
    });
    socket.once('error', (error) => {
      end(codeOf(error));
    });
    socket.once('close', () => {
      end('closed');
    });
    socket.resume();
  });

const listens = (host: Host, port: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(SERVED);
    });
    socket.once('error', (error) => {
      resolve(codeOf(error));
    });
  });

/** With the administrator's password. */
async function query(drill: Drill, host: string, tls: string): Promise<Outcome> {
  const url = Object.assign(new URL(adminUrlOf(drill.place)), { host, search: tls }).href;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: REFUSED_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return SERVED;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end();
  }
}

/**
 * Tries every port of the servers without TLS, without a certificate and with one of another authority, and with a right one where
 * that opens it, so that a refusal is about the certificate. Returns a sentence for each server that serves whom it must not, or refuses
 * whom it must not.
 */
export async function tryEveryDoor(drill: Drill): Promise<string[]> {
  const { place, strangers } = drill;
  const { credentials } = place;
  const strange = (host: Host) => proofOf(strangers, host);
  const own = (host: Host) => proofOf(credentials, host);
  const cases: readonly (readonly [what: string, expected: string | RegExp, outcome: Promise<Outcome>])[] = [
    ['etcd without TLS', /^(?!served)/, askPlainly('http://etcd-1:2379/health')],
    ['etcd without a certificate', /^(?!served)/, askSecurely('GET', 'https://etcd-1:2379/health')],
    ['etcd with a strange certificate', /^(?!served)/, askSecurely('GET', 'https://etcd-1:2379/health', strange('db-1'))],
    ['etcd with a certificate', SERVED, askSecurely('GET', 'https://etcd-1:2379/health', own('db-1'))],
    ['a member of etcd without a certificate', /^(?!served)/, askSecurely('GET', 'https://etcd-1:2380/version')],
    ['a member of etcd with a strange certificate', /^(?!served)/, askSecurely('GET', 'https://etcd-1:2380/version', strange('etcd-2'))],
    // It is for another address than the one that we come from.
    ['a member of etcd with the certificate of another', /^(?!served)/, askSecurely('GET', 'https://etcd-1:2380/version', own('etcd-2'))],
    ['Patroni without TLS', /^(?!served)/, askPlainly('http://db-1:8008/patroni')],
    ['a question to Patroni without a certificate', SERVED, askSecurely('GET', 'https://db-1:8008/patroni')],
    ['a command to Patroni without a certificate', '403', askSecurely('POST', 'https://db-1:8008/reload')],
    ['a command to Patroni with a strange certificate', /^(?!served)/, askSecurely('POST', 'https://db-1:8008/reload', strange('db-2'))],
    ['a command to Patroni with a certificate', SERVED, askSecurely('POST', 'https://db-1:8008/reload', own('db-2'))],
    ['PostgreSQL without TLS', /no pg_hba\.conf entry .*no encryption/, query(drill, 'db-1:5432', 'sslmode=disable')],
    ['a PostgreSQL of another authority', /certificate/, query(drill, 'db-1:5432', `sslmode=verify-full&sslrootcert=${strangers.caFile}`)],
    ['PgBouncer without TLS', /SSL required/, query(drill, 'pool-1:6433', 'sslmode=disable')],
    ['RabbitMQ without TLS', 'ECONNREFUSED', listens('mq-1', 5672)],
    ['RabbitMQ’s management without TLS', 'ECONNREFUSED', listens('mq-1', 15_672)],
    ['a node of RabbitMQ without a certificate', /^(?!served)/, joinNode('mq-1')],
    ['a node of RabbitMQ with a strange certificate', /^(?!served)/, joinNode('mq-1', strange('mq-2'))],
    ['a node of RabbitMQ with a certificate', SERVED, joinNode('mq-1', own('mq-2'))],
  ];
  const wrong = await Promise.all(
    cases.map(async ([what, expected, outcome]) => {
      const came = await outcome;
      const isRight = typeof expected === 'string' ? came === expected : expected.test(came);
      return isRight ? [] : [`${what}: ${came}`];
    }),
  );
  return wrong.flat();
}
