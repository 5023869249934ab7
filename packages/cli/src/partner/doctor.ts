import { connect } from 'node:net';
import type { Command } from 'commander';
import { contextOf, withClient } from '../context.ts';
import { CliFault, EXIT } from '../fault.ts';
import { table } from '../output.ts';
import { readSystemFacts, type Profile } from '../profile.ts';

/** The result of one check. */
type Finding = { readonly what: string; readonly ok: boolean; readonly says: string };

const TIMEOUT_MS = 3_000;
/** Half of what the service tolerates, so that there is time to fix the clock before requests fail. */
const SKEW_WARNING_SECONDS = 150;

/** `pay doctor`: checks this system from the outside. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check clock, keys, database, broker, services and the callback address; exit status 1 if a check fails')
    .action(async (_options: unknown, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      const findings = await examine(profile);
      const lines = table(findings.map(({ what, ok, says }) => [ok ? 'ok' : 'NOT OK', what, says]));
      if (findings.every(({ ok }) => ok)) output.result(lines, { ok: true, findings });
      else if (!findings.some(({ ok }) => ok)) {
        throw new CliFault(EXIT.refused, `nothing responds at ${profile.baseUrl}: run npm start`, {
          ok: false,
          findings,
        });
      } else throw new CliFault(EXIT.refused, lines.join('\n'), { ok: false, findings });
    });
}

async function examine(profile: Profile): Promise<readonly Finding[]> {
  const { ports } = readSystemFacts(profile);
  const readyChecks = Object.entries(ports)
    .filter(([name]) => name.endsWith('-private'))
    .map(
      ([name, port]) =>
        () =>
          readiness(name.replace(/-private$/, ''), `http://127.0.0.1:${String(port)}/readyz`),
    );
  const checks: (() => Promise<Finding>)[] = [
    () => clock(profile),
    () => signedCall(profile),
    ...(profile.databaseUrl === undefined ? [] : [() => greeting('database', profile.databaseUrl ?? '', POSTGRES)]),
    ...(profile.amqpUrl === undefined ? [] : [() => greeting('broker', profile.amqpUrl ?? '', AMQP)]),
    ...readyChecks,
    ...(ports['checkout-1-private'] === undefined ? [] : [() => formPage(ports['checkout-1-private'] ?? 0)]),
    ...Object.entries(ports).flatMap(([name, port]) => {
      const consumer = /^((?:bindings|notifier|withdrawals)-\d+)-private$/.exec(name)?.[1];
      return consumer === undefined ? [] : [() => facts(consumer, port)];
    }),
    () => callbackAddress(profile),
  ];
  return Promise.all(checks.map((check) => check()));
}

async function finding(what: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, says: await look() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return { what, ok: false, says: `${error instanceof Error ? error.message : String(error)}${cause}` };
  }
}

function clock({ baseUrl }: Profile): Promise<Finding> {
  return finding('clock', async () => {
    const startedAt = Date.now();
    const response = await fetch(baseUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const date = response.headers.get('date');
    if (date === null) throw new Error(`${baseUrl} returns no Date header`);
    // The wire has whole seconds: compared with the middle of the call, half a second is noise.
    const skew = Math.round((Date.parse(date) + 500 - (startedAt + Date.now()) / 2) / 1000);
    if (Math.abs(skew) > SKEW_WARNING_SECONDS) throw new Error(`${String(skew)} s off the service; 300 are refused`);
    return `${String(skew)} s off the service`;
  });
}

function signedCall(profile: Profile): Promise<Finding> {
  return finding('signature', async () => {
    const points = await withClient(profile, (client) => client.listPaymentPoints());
    return `accepted for ${profile.partnerID}; ${String(points.length)} payment points`;
  });
}

function readiness(what: string, url: string): Promise<Finding> {
  return finding(what, async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    const { degraded = [] } = JSON.parse(text) as { degraded?: readonly string[] };
    if (degraded.length > 0) throw new Error(degraded.join('; '));
    return 'ready';
  });
}

/** The checkout's latest check of its own page from outside, at most a minute old. */
function formPage(port: number): Promise<Finding> {
  return finding('form page', async () => {
    const address = `http://127.0.0.1:${String(port)}/metrics`;
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const result = /^form_page_integrity\{[^}]*result="(\w+)"[^}]*\} 1$/m.exec(await response.text())?.[1];
    if (result === undefined) return 'not checked yet';
    if (result === 'same') return 'scripts and headers match the build';
    throw new Error(result === 'different' ? 'differs from the build: see the log of checkout' : 'does not answer at its public address');
  });
}

/** Whether a service that consumes facts has received all that others published, according to its metrics. */
function facts(consumer: string, port: number): Promise<Finding> {
  return finding(`facts for ${consumer}`, async () => {
    const address = `http://127.0.0.1:${String(port)}/metrics`;
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const metrics = await response.text();
    const valueOf = (name: string) => Number(new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(metrics)?.[1] ?? 0);
    const missing = valueOf('facts_missing');
    if (missing > 0) throw new Error(`${String(missing)} missing: see docs/operate/runbooks/facts.md`);
    const comparedAt = valueOf('facts_compared_timestamp_seconds');
    if (comparedAt === 0) return 'not compared yet';
    return `none missing, compared ${String(Math.max(0, Math.round(Date.now() / 1000 - comparedAt)))} s ago`;
  });
}

/** The first bytes of a protocol: enough to identify the server, without a password. */
type Greeting = { readonly port: number; readonly say: Buffer; readonly isAnswer: (bytes: Buffer) => boolean };
/** SSLRequest; the response is one letter, S or N. */
const POSTGRES: Greeting = {
  port: 5432,
  say: Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]),
  isAnswer: (bytes) => bytes[0] === 0x53 || bytes[0] === 0x4e,
};
/** The protocol header of AMQP 0-9-1; the response is a method frame, Connection.Start. */
const AMQP: Greeting = {
  port: 5672,
  say: Buffer.from('AMQP\x00\x00\x09\x01', 'latin1'),
  isAnswer: (bytes) => bytes[0] === 1,
};

function greeting(what: string, address: string, { port, say, isAnswer }: Greeting): Promise<Finding> {
  return finding(what, async () => {
    const url = new URL(address);
    const answer = await talk(url.hostname, url.port === '' ? port : Number(url.port), say);
    if (!isAnswer(answer)) throw new Error(`something else answers on ${url.host}`);
    return `answers on ${url.host}`;
  });
}

/** A TCP server's response to `say`; without `say` only the connection is tried. */
function talk(host: string, port: number, say?: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout: TIMEOUT_MS }, () => {
      if (say === undefined) {
        resolve(Buffer.alloc(0));
        socket.destroy();
      } else {
        socket.write(say);
      }
    });
    socket.once('data', (bytes) => {
      resolve(bytes);
      socket.destroy();
    });
    socket.once('timeout', () => {
      reject(new Error(`${host}:${String(port)} does not answer`));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error(`${host}:${String(port)} closed the connection`));
    });
  });
}

/** Only connects: an unsigned callback would just clutter the receiver's log. */
function callbackAddress(profile: Profile): Promise<Finding> {
  return finding('callback address', async () => {
    const { callbackUrl } = await withClient(profile, (client) => client.readEndpoints());
    if (callbackUrl === null) throw new Error('none saved: PUT /api/integration/endpoints');
    const url = new URL(callbackUrl);
    await talk(url.hostname, url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));
    return `${url.origin} accepts connections`;
  });
}
