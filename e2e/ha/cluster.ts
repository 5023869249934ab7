import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { withClient } from '../../tools/infrastructure/provision.ts';
import { management } from '../../tools/infrastructure/rabbitmq.ts';
import { proofOf, VERIFIED } from './certificates.ts';
import { HOSTS, type Host } from './network.ts';
import { ADMINISTRATOR, type Place } from './servers.ts';

const run = promisify(execFile);
const ASK_MS = 2_000;
const LOOK_EVERY_MS = 200;

const hosts = (kind: string): Host[] => HOSTS.filter((host) => host.startsWith(`${kind}-`));
export const DATABASES = hosts('db');
export const BROKERS = hosts('mq');
export const STORES = hosts('etcd');

const Member = z.object({ name: z.enum(HOSTS), role: z.string(), state: z.string() });
const Members = z.object({ members: z.array(Member) });
type Member = z.infer<typeof Member>;

/** The members as any Patroni that answers knows them. */
async function members(): Promise<readonly Member[]> {
  for (const host of DATABASES) {
    const answer: unknown = await fetch(`https://${host}:8008/cluster`, { signal: AbortSignal.timeout(ASK_MS) })
      .then((response) => response.json())
      .catch(() => undefined);
    // Without an answer the next one is asked.
    if (answer !== undefined) return Members.parse(answer).members;
  }
  return [];
}

const byRole = async (role: string): Promise<Host | undefined> => (await members()).find((member) => member.role === role)?.name;

/** The host of the primary. @throws Error if there is none */
export async function primaryHost(): Promise<Host> {
  return (await byRole('leader')) ?? missing('a primary');
}

/** The host of a standby. @throws Error if there is none */
export async function standbyHost(): Promise<Host> {
  return (await byRole('quorum_standby')) ?? missing('a standby that a COMMIT may wait for');
}

const Output = z.object({ stdout: z.string() });
const Statuses = z.array(
  z.object({
    Endpoint: z.string(),
    Status: z.object({ header: z.object({ member_id: z.number() }), leader: z.number() }),
  }),
);

function etcdctl({ credentials: { caFile, folder } }: Place, ...args: readonly string[]) {
  const endpoints = STORES.map((host) => `https://${host}:2379`).join(',');
  const own = join(folder, STORES[0] ?? '');
  const proof = ['--cacert', caFile, '--cert', join(own, 'host.crt'), '--key', join(own, 'host.key')];
  const env = { ...process.env, ETCDCTL_API: '3' };
  return run('etcdctl', ['--endpoints', endpoints, ...proof, '--command-timeout=2s', ...args], { env });
}

/** What the members of etcd that answer say of themselves: the host, and whether it leads. */
async function stores(place: Place): Promise<{ host: Host; leads: boolean }[]> {
  const { stdout } = await etcdctl(place, 'endpoint', 'status', '-w', 'json').catch(
    // It prints what it has, and fails, if one does not answer.
    (error: unknown) => Output.parse(error),
  );
  const statuses = stdout.trim() === '' ? [] : Statuses.parse(JSON.parse(stdout));
  return statuses.flatMap(({ Endpoint, Status }) => {
    const host = STORES.find((store) => Endpoint.includes(store));
    return host === undefined ? [] : [{ host, leads: Status.header.member_id === Status.leader }];
  });
}

/** The host of etcd's leader. @throws Error if there is none */
export async function etcdLeader(place: Place): Promise<Host> {
  return (await stores(place)).find(({ leads }) => leads)?.host ?? missing('a leader of etcd');
}

/** Ends the primary's reign before its key expires. Only for a host that is switched off. @throws Error if it has no key */
export async function removeLeaderKey(place: Place): Promise<void> {
  const { stdout } = await etcdctl(place, 'del', '/service/pay/leader');
  if (stdout.trim() !== '1') throw new Error('the primary has no key in etcd any more');
}

/** Moves the primary to a standby, as `patronictl switchover` does. @throws Error with Patroni's words if it refuses */
export async function switchOver({ credentials }: Place, primary: Host): Promise<void> {
  const asked = request(`https://${primary}:8008/switchover`, { method: 'POST', ...proofOf(credentials, primary) });
  asked.end(JSON.stringify({ leader: primary }));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
}

const Queue = z.object({ leader: z.string(), online: z.array(z.string()) });
const Queues = z.array(Queue.extend({ name: z.string() }));

export const brokerManagement = (place: Place, host: Host): string => `https://${ADMINISTRATOR}:${place.secrets.broker}@${host}:15671`;

/** The queues as any node that answers knows them. */
async function queues(place: Place): Promise<z.infer<typeof Queues>> {
  for (const host of BROKERS) {
    const answer: unknown = await management(brokerManagement(place, host), 'GET', 'queues')
      .then((response) => response.json())
      .catch(() => undefined);
    if (answer !== undefined) return Queues.parse(answer);
  }
  return [];
}

/** The host that leads a queue. @throws Error if none does */
export async function queueLeader(place: Place, queue: string): Promise<Host> {
  const leader = (await queues(place)).find(({ name }) => name === queue)?.leader;
  return BROKERS.find((host) => leader === `rabbit@${host}`) ?? missing(`a leader of ${queue}`);
}

const ofNode = z.array(z.object({ name: z.string(), running: z.boolean() }));

/** The administrator's URL of whoever is the primary, past the poolers. */
export const adminUrlOf = ({ secrets }: Place): string =>
  `postgres://${ADMINISTRATOR}:${secrets.superuser}@primary:5432/postgres?${VERIFIED}`;
const STANDBYS = `select from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'`;

/** What is not as it should be; undefined if everything that can fail over can do so. */
async function problem(place: Place): Promise<string | undefined> {
  const standbys = await withClient(adminUrlOf(place), async (client) => (await client.query(STANDBYS)).rowCount ?? 0);
  if (standbys < DATABASES.length - 1) return `${String(standbys)} standbys stream, and are waited for`;
  const named = (await members()).filter(({ role }) => role === 'quorum_standby');
  if (named.length < DATABASES.length - 1) return `Patroni may promote ${named.map(({ name }) => name).join(', ')} only`;
  if ((await stores(place)).length < STORES.length) return 'a member of etcd is missing';
  const nodes = await nodesRunning(place);
  if (nodes < BROKERS.length) return `${String(nodes)} broker nodes are running`;
  const behind = (await queues(place)).filter(({ online }) => online.length < BROKERS.length);
  if (behind.length > 0) return `${behind.map(({ name }) => name).join(', ')} are not on every node`;
  return undefined;
}

/** Whether this host's server takes part: a standby streams, a broker node runs with the others. */
export async function takesPart(place: Place, host: Host): Promise<boolean> {
  if (BROKERS.includes(host)) {
    const asked = BROKERS.find((one) => one !== host) ?? host;
    const response = await management(brokerManagement(place, asked), 'GET', 'nodes');
    return ofNode.parse(await response.json()).some(({ name, running }) => running && name === `rabbit@${host}`);
  }
  const streams = `select from pg_stat_replication where state = 'streaming' and application_name = $1`;
  return withClient(adminUrlOf(place), async (client) => ((await client.query(streams, [host])).rowCount ?? 0) > 0);
}

async function nodesRunning(place: Place): Promise<number> {
  const counts = await Promise.all(
    BROKERS.map(async (host) => {
      try {
        const response = await management(brokerManagement(place, host), 'GET', 'nodes');
        return ofNode.parse(await response.json()).filter(({ running }) => running).length;
      } catch {
        return 0;
      }
    }),
  );
  // Each has to see all of them.
  return Math.min(...counts);
}

/** Waits until everything that can fail over can do so. @throws Error that says what is missing */
export async function untilWhole(place: Place, withinMs: number): Promise<void> {
  let found: string | undefined;
  for (const end = performance.now() + withinMs; performance.now() < end;) {
    found = await problem(place).catch((error: unknown) => String(error));
    if (found === undefined) return;
    await wait(LOOK_EVERY_MS);
  }
  throw new Error(`the servers are not whole: ${found ?? ''}`);
}

function missing(what: string): never {
  throw new Error(`there is not ${what}`);
}
