import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { CircuitOpenError } from '../breaker/breaker.ts';
import { createLog } from '../logging/logger.ts';
import { askJson } from './ask-json.ts';
import { PlacesTakenError } from './no-answer.ts';
import { createServiceClient, type ServiceClient, type ServiceCall } from './service-client.ts';

/** For the lane `outside` with one replica; one partner may have half of them. */
const PLACES = 256;

type Replica = {
  readonly url: string;
  /** The received calls, as `POST /charge`. */
  readonly seen: string[];
  /** The responses of held calls. */
  readonly held: ServerResponse[];
  /** Accepts calls and closes their connection instead of answering. */
  cutsOff: boolean;
  /** Sends an unasked 100 Continue before each answer. */
  informs: boolean;
  /** Answers everything with this status at once; undefined: it works. */
  fails: number | undefined;
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  // The servers first: held calls end with them.
  for (const close of opened.splice(0)) await close();
});

/** Never answers `/hang`, answers `/broken` with 500, and everything else with 200. */
async function startReplica(): Promise<Replica> {
  const replica: Replica = { url: '', seen: [], held: [], cutsOff: false, informs: false, fails: undefined };
  const server = createServer((req, res) => {
    replica.seen.push(`${String(req.method)} ${String(req.url)}`);
    req.resume();
    if (replica.informs) res.writeContinue();
    if (replica.cutsOff) req.socket.destroy();
    else if (replica.fails !== undefined) res.writeHead(replica.fails, { 'content-type': 'application/json' }).end('{}');
    else if (req.url === '/hang') replica.held.push(res);
    else res.writeHead(req.url === '/broken' ? 500 : 200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(replica, { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
}

function clientOf(...replicas: readonly Replica[]): ServiceClient {
  const [urls, log] = [replicas.map(({ url }) => url), createLog('test', 'silent')];
  const client = createServiceClient({ issuer: 'test', name: 'played', urls, tokenKey: randomBytes(32), log });
  opened.push(() => client.close());
  return client;
}

const CALL: ServiceCall = {
  lane: 'outside',
  operation: 'charge',
  method: 'POST',
  path: '/charge',
  partnerId: 'partner-1',
  headers: {},
  body: '{}',
  deadlineMs: 60_000,
  mayRepeat: true,
};
const HANGING = { ...CALL, path: '/hang' };
const READ = { ...CALL, lane: 'read', method: 'GET', path: '/binding', body: null } as const;
const COMMAND = { ...CALL, lane: 'command', path: '/revoke' } as const;

const statusOf = (client: ServiceClient, call: ServiceCall) => client.ask(call, ({ status }) => status);
const until = async (isSo: () => boolean) => {
  while (!isSo()) await wait(5);
};

it('charges that wait for a bank take their places and no more: one more is refused at once, reads and commands go on (S2)', async () => {
  const replica = await startReplica();
  const client = clientOf(replica);
  const hanging: Promise<number>[] = [];
  for (const partnerId of ['partner-1', 'partner-2']) {
    for (let call = 0; call < PLACES / 2; call += 1) hanging.push(statusOf(client, { ...HANGING, partnerId }));
    await until(() => replica.held.length === hanging.length);
    await expect(statusOf(client, { ...CALL, partnerId })).rejects.toBeInstanceOf(PlacesTakenError);
    expect(await statusOf(client, { ...READ, partnerId })).toBe(200);
    expect(await statusOf(client, { ...COMMAND, partnerId })).toBe(200);
  }
  await expect(statusOf(client, { ...CALL, partnerId: 'partner-3' })).rejects.toBeInstanceOf(PlacesTakenError);
  expect(replica.seen.filter((call) => call === 'POST /charge')).toEqual([]);
  for (const res of replica.held) res.end('{}');
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([200]));
  expect(await statusOf(client, CALL)).toBe(200);
});

it('charges that are late close nothing; commands that fail close the commands and nothing else (S2)', async () => {
  const replica = await startReplica();
  const client = clientOf(replica);
  await Promise.allSettled(Array.from({ length: 20 }, () => statusOf(client, { ...HANGING, deadlineMs: 50 })));
  expect(await statusOf(client, CALL)).toBe(200);
  const failing = () =>
    askJson(client, { ...COMMAND, method: 'POST', path: '/broken', body: {} }, (status) => {
      throw new Error(`answered ${String(status)}`);
    });
  await Promise.allSettled(Array.from({ length: 20 }, failing));
  await expect(statusOf(client, COMMAND)).rejects.toBeInstanceOf(CircuitOpenError);
  expect([await statusOf(client, READ), await statusOf(client, CALL)]).toEqual([200, 200]);
});

const BROKEN: unknown = expect.objectContaining({ wasSent: true, isLate: false });

it.each([
  ['silent', 'command', true, 200],
  ['cut off', 'command', true, BROKEN],
  ['cut off', 'outside', true, BROKEN],
  ['cut off', 'command', false, BROKEN],
] as const)(
  'a call that a replica left without an answer (%s, lane %s) is asked of the next, if it may be repeated: %s (F7)',
  async (how, lane, mayRepeat, expected) => {
    const [first, second] = [await startReplica(), await startReplica()];
    for (const replica of [first, second]) replica.cutsOff = how === 'cut off';
    let isOver = false;
    const asked = statusOf(clientOf(first, second), { ...CALL, lane, path: '/hang', mayRepeat, deadlineMs: 5_000 })
      .catch((error: unknown) => error)
      .finally(() => (isOver = true));
    const seen = () => first.seen.length + second.seen.length;
    await until(() => isOver || first.held.length + second.held.length === 2);
    for (const res of [...first.held, ...second.held]) res.end('{}');
    expect(await asked).toEqual(expected);
    expect(seen()).toBe(mayRepeat ? 2 : 1);
  },
);

/** How the first replica deals with a call that the second one answers. */
const FIRST_ONES: Readonly<Record<string, (replica: Replica) => Replica>> = {
  'cut off': (replica) => Object.assign(replica, { cutsOff: true }),
  'answered unreadably': (replica) => Object.assign(replica, { fails: 500 }),
  silent: (replica) => replica,
  'not there': (replica) => ({ ...replica, url: 'http://127.0.0.1:9' }),
};

it.each([
  ['cut off', 'outside', true],
  ['answered unreadably', 'outside', true],
  ['silent', 'command', true],
  ['not there', 'outside', false],
] as const)(
  'an answer says whether another replica may have received the call: %s at the first (%s): %s (V1)',
  async (how, lane, expected) => {
    const [first, second] = [FIRST_ONES[how]?.(await startReplica()) ?? (await startReplica()), await startReplica()];
    // A client begins with the second address.
    const client = clientOf(second, first);
    const asked = client.ask({ ...CALL, lane, path: '/hang' }, ({ status, mayBeElsewhere }) => {
      if (status === 500) throw new Error('no answer of ours');
      return mayBeElsewhere;
    });
    await until(() => second.held.length === 1);
    for (const res of second.held) res.end('{}');
    expect(await asked).toBe(expected);
    expect(first.seen).toHaveLength(how === 'not there' ? 0 : 1);
  },
);

it('an answer of the only replica that was asked is certain (V1)', async () => {
  const client = clientOf(await startReplica(), await startReplica());
  expect(await client.ask(CALL, ({ mayBeElsewhere }) => mayBeElsewhere)).toBe(false);
});

it('a command whose answer cannot be read is not sent to the next replica (V1)', async () => {
  const [first, second] = [await startReplica(), await startReplica()];
  const asked = clientOf(first, second).ask({ ...COMMAND, mayRepeat: false }, () => {
    throw new Error('unreadable');
  });
  await expect(asked).rejects.toThrow('unreadable');
  expect(first.seen.length + second.seen.length).toBe(1);
});

it('a call that may have been received somewhere was sent, though the last replica was not there (V1)', async () => {
  const first = await startReplica();
  first.cutsOff = true;
  const client = clientOf({ ...first, url: 'http://127.0.0.1:9' }, first);
  await expect(statusOf(client, CALL)).rejects.toMatchObject({ wasSent: true });
  expect(first.seen).toHaveLength(1);
});

it('a process that stood still while it connected sends nothing after the deadline (N1)', async () => {
  const replica = await startReplica();
  const asked = statusOf(clientOf(replica), CALL);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + CALL.deadlineMs);
  await expect(asked).rejects.toMatchObject({ isLate: true, wasSent: false });
  clock.mockRestore();
  expect(replica.seen).toEqual([]);
});

it.each([503, 401])('a replica that fails at once gets no more calls than one that works: %s', async (status) => {
  const [failing, working] = [await startReplica(), await startReplica()];
  failing.fails = status;
  const client = clientOf(failing, working);
  let ended = 0;
  const calls: Promise<unknown>[] = [];
  // However long the ten calls take, the errors still count.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  while (calls.length < 10) {
    calls.push(statusOf(client, HANGING).finally(() => (ended += 1)));
    await until(() => ended + working.held.length === calls.length);
  }
  clock.mockRestore();
  expect([failing.seen.length, working.seen.length]).toEqual([5, 5]);
  for (const res of working.held.splice(0)) res.end('{}');
  await Promise.all(calls);
});

it('an unasked 100 Continue, which something between us may send, is not the answer, nor its end (K3)', async () => {
  const replica = await startReplica();
  replica.informs = true;
  const client = clientOf(replica);
  expect(await statusOf(client, CALL)).toBe(200);
  expect(await statusOf(client, { ...CALL, path: '/broken' })).toBe(500);
});
