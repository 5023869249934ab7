import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
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

/** One partner may occupy half of the queue. */
const PLACES = 256;
const PLACES_OF_ONE = PLACES / 2;

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let gateway: ServiceProcess;
let base: string;
let partners: readonly TestPartner[];
/** Answers the calls that are held. */
let held: (() => void)[] = [];

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  partners = await Promise.all([1, 2, 3].map(() => givenPartner(test.database)));
  gateway = await startGateway(test.url, service.url);
  base = gateway.urlOf('api');
  service.hold = (release) => {
    if (service.seen.at(-1)?.body.toString() === SLOW.body) held.push(release);
    else release();
  };
});

afterEach(answerAll);

afterAll(async () => {
  await gateway.stop();
  await service.stop();
  await test.drop();
});

const CREATE = { method: 'POST', target: '/api/card', body: '{}', idempotencyKey: 'key-0123456789abcdef' };
/** A create call to a bank that does not answer. */
const SLOW = { ...CREATE, body: '{"bank":"slow"}' };
const READ = { target: '/api/integration/payment-points' };

function answerAll(): void {
  for (const release of held) release();
  held = [];
}

/** Holds calls of a partner at the bank, and waits until all of them are held. */
async function hang(partner: TestPartner, count: number): Promise<Promise<RawAnswer>[]> {
  const wanted = held.length + count;
  const hanging = Array.from({ length: count }, () => sendSigned(base, partner, SLOW));
  await eventually(() => (held.length === wanted ? true : undefined));
  return hanging;
}

function partner(index: number): TestPartner {
  const found = partners[index];
  if (found === undefined) throw new Error('no such partner');
  return found;
}

it('a partner whose bank hangs is told 503 at once when its places are taken; it reads on, and others create (S2)', async () => {
  const hanging = await hang(partner(0), PLACES_OF_ONE);
  const refused = await sendSigned(base, partner(0), SLOW);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect((await sendSigned(base, partner(0), READ)).status).toBe(200);
  expect((await sendSigned(base, partner(1), READ)).status).toBe(200);
  expect((await sendSigned(base, partner(1), CREATE)).status).toBe(200);
  expect(held).toHaveLength(PLACES_OF_ONE);
  answerAll();
  expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await sendSigned(base, partner(0), CREATE)).status).toBe(200);
});

it('with every place at the bank taken, reads and other commands are answered and the next create is 503 at once (S2)', async () => {
  const hanging = [...(await hang(partner(0), PLACES_OF_ONE)), ...(await hang(partner(1), PLACES_OF_ONE))];
  const refused = await sendSigned(base, partner(2), CREATE);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  for (const target of ['/api/integration/payment-points', '/api/card/1', '/v1/bindings', '/api/withdrawal-requests']) {
    expect((await sendSigned(base, partner(2), { target })).status).toBe(200);
  }
  const secret = { ...CREATE, target: '/api/integration/callback-secret' };
  expect((await sendSigned(base, partner(2), secret)).status).toBe(200);
  answerAll();
  await Promise.all(hanging);
  expect((await sendSigned(base, partner(2), CREATE)).status).toBe(200);
});
