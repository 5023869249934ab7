import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import {
  eventually,
  givenPartner,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestService,
  type RawAnswer,
  type TestPartner,
  type TestService,
} from '../../test/gateway.ts';

/** Half of the read lane's places with two replicas: 2 × 64 connections and a queue of 192. */
const READS_OF_ONE = 160;

const READ = { target: '/api/card/1' };
const CREATE = { method: 'POST', target: '/api/card', body: '{}', idempotencyKey: 'key-0123456789abcdef' };
/** In the lane `command`, at another service. */
const REVOKE = { ...CREATE, target: '/v1/bindings/1/revoke' };
const READ_BINDINGS = { target: '/v1/bindings' };

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let partner: TestPartner;
/** Accepts requests and answers none. */
let frozen: TestService;
let other: TestService;
let gateway: ServiceProcess;
let base: string;

beforeAll(async () => {
  test = await startTestDatabase();
  partner = await givenPartner(test.database);
});

beforeEach(async () => {
  [frozen, other] = await Promise.all([startTestService(), startTestService()]);
  frozen.hold = () => undefined;
  const both = `${frozen.url},${other.url}`;
  gateway = await startGateway(test.url, other.url, { PAYMENTS_URL: both, BINDINGS_URL: both });
  base = gateway.urlOf('api');
});

afterEach(async () => {
  await Promise.all([frozen.stop(), other.stop()]);
  await gateway.stop();
});

afterAll(() => test.drop());

const statuses = (answers: readonly RawAnswer[]) => [...new Set(answers.map(({ status }) => status))];
const ask = (count: number, call: Parameters<typeof sendSigned>[2]) =>
  Promise.all(Array.from({ length: count }, () => sendSigned(base, partner, call)));
/** A replica's connections for reads. */
const CONNECTIONS = 64;

/**
 * Reads of which each replica gets half: the other one answers when the frozen one has its own, because one that has
 * answered has fewer calls in flight and gets the next.
 */
async function askBoth(count: number, read: Parameters<typeof sendSigned>[2]): Promise<void> {
  const held: (() => void)[] = [];
  other.hold = (release) => held.push(release);
  const asked = ask(count, read);
  await eventually(() => (frozen.seen.length >= Math.min(count / 2, CONNECTIONS) ? true : undefined));
  other.hold = undefined;
  for (const release of held) release();
  expect(statuses(await asked)).toEqual([200]);
}

const commandsAt = (service: TestService) => service.seen.filter(({ method }) => method === 'POST').length;

it.each([
  ['outside', READ, CREATE],
  ['command', READ_BINDINGS, REVOKE],
])(
  'reads given to a replica that never answers are answered by the other, then it gets no command: lane %s (F7)',
  async (_lane, read, command) => {
    await askBoth(10, read);
    expect(statuses(await ask(10, command))).toEqual([200]);
    expect([commandsAt(frozen), commandsAt(other)]).toEqual([0, 10]);
  },
);

it('a replica that answers again is used again (F7)', async () => {
  await askBoth(10, READ);
  expect(statuses(await ask(10, CREATE))).toEqual([200]);
  frozen.hold = undefined;
  await eventually(async () => {
    expect(statuses([...(await ask(1, READ)), ...(await ask(2, CREATE))])).toEqual([200]);
    return commandsAt(frozen) > 0 ? true : undefined;
  });
});

it('the last replica is never passed over (F7)', async () => {
  await askBoth(10, READ);
  other.cutOff = true;
  expect(statuses(await ask(4, CREATE))).toEqual([503]);
  other.cutOff = false;
  // None is answered until all have been assigned to a replica: an answer would bring it back.
  const held: (() => void)[] = [];
  other.hold = (release) => held.push(release);
  const creates = ask(5, CREATE);
  await eventually(() => (commandsAt(frozen) + commandsAt(other) === 9 ? true : undefined));
  expect([commandsAt(frozen), commandsAt(other)]).toEqual([0, 9]);
  for (const release of held) release();
  expect(statuses(await creates)).toEqual([200]);
});

it('a read that is asked of two replicas takes one place of its partner (F7)', async () => {
  const held: (() => void)[] = [];
  for (const service of [frozen, other]) service.hold = (release) => held.push(release);
  const first = ask(40, READ);
  // A tenth of them may be retried.
  await eventually(() => (held.length === 44 ? true : undefined));
  let refused = 0;
  const rest = Array.from({ length: READS_OF_ONE - 40 + 1 }, async () => {
    const answer = await sendSigned(base, partner, READ);
    if (answer.status === 503) refused += 1;
    return answer;
  });
  await eventually(() => (refused > 0 ? true : undefined));
  for (const service of [frozen, other]) service.hold = undefined;
  for (const release of held) release();
  expect(statuses(await first)).toEqual([200]);
  await Promise.all(rest);
  expect(refused).toBe(1);
});

it('the attempt that has lost is given up and its connection is free again (F7)', async () => {
  // All of its 64 connections: if they were held until the deadline, none would be left to notice that it is back.
  await askBoth(140, READ);
  frozen.hold = undefined;
  const before = frozen.seen.length;
  await eventually(async () => {
    expect(statuses(await ask(1, READ))).toEqual([200]);
    return frozen.seen.length > before + 1 ? true : undefined;
  });
});
