import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import {
  authorize,
  causeOf,
  givenPartner,
  requestBytes,
  sendRaw,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestService,
  type RawAnswer,
  type TestPartner,
  type TestService,
} from '../../test/gateway.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let partner: TestPartner;
let other: TestPartner;
let gateway: ServiceProcess | undefined;

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  partner = await givenPartner(test.database);
  other = await givenPartner(test.database);
});

afterAll(async () => {
  await gateway?.stop();
  await service.stop();
  await test.drop();
});

/** A gateway that has just started and has seen no partner yet. */
async function restart(env: Record<string, string> = {}): Promise<string> {
  await gateway?.stop();
  gateway = await startGateway(test.url, service.url, { FAILED_AUTHENTICATIONS_PER_MINUTE: '20', ...env });
  return gateway.urlOf('api');
}

type Noise = () => Buffer;
const withoutHeader: Noise = () => requestBytes({ target: '/x' });
const twoMeanings: Noise = () => requestBytes({ target: '/x', headers: ['Content-Length: 5'], body: 'abcde' });
const tooLarge: Noise = () => requestBytes({ method: 'POST', headers: ['Content-Length: 70000'] });
const unknownKey: Noise = () => requestBytes({ authorization: { ...authorize(partner, {}), partnerID: randomUUID() } });
/** Anyone who has seen one of the partner's calls knows its id and key. */
const inItsName: Noise = () => requestBytes({ authorization: { ...authorize(partner, {}), sign: Buffer.alloc(64, 1).toString('base64') } });
const longInItsName: Noise = () =>
  requestBytes({
    method: 'POST',
    authorization: { ...authorize(partner, {}), sign: Buffer.alloc(64, 1).toString('base64') },
    body: 'x'.repeat(64 * 1024),
  });

/** Sends invalid requests until they are limited. */
async function untilLimited(base: string, noise: Noise): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  while (answers.at(-1)?.status !== 429 && answers.length < 100) answers.push(await sendRaw(base, noise()));
  expect(answers.at(-1)?.status).toBe(429);
  return answers;
}

it('after a restart 0 of 200 valid calls are refused while strangers at the same address make noise of every kind (S3)', async () => {
  const base = await restart();
  let isOver = false;
  let noises = 0;
  const strangers = [withoutHeader, unknownKey, inItsName, longInItsName, twoMeanings].flatMap((noise) =>
    Array.from({ length: 12 }, async () => {
      while (!isOver) {
        await sendRaw(base, noise());
        noises += 1;
      }
    }),
  );
  await untilLimited(base, withoutHeader);
  await untilLimited(base, unknownKey);
  await untilLimited(base, inItsName);
  const statuses: number[] = [];
  const owner = Array.from({ length: 10 }, async () => {
    for (let count = 0; count < 20; count += 1) statuses.push((await sendSigned(base, partner)).status);
  });
  await Promise.all(owner);
  isOver = true;
  await Promise.all(strangers);
  expect(statuses).toHaveLength(200);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(noises).toBeGreaterThan(60);
});

it('failures in a partner’s name count against that key, and neither against the address nor another key (S3)', async () => {
  const base = await restart();
  const answers = await untilLimited(base, inItsName);
  expect(answers.filter((answer) => causeOf(answer) === 'signature_mismatch').length).toBeGreaterThanOrEqual(20);
  // Above the limit a connection is slowed down and closed, so that each failure costs its sender a connection and a
  // second. One of twenty a minute is free again every three seconds, from whenever the first was used.
  const limited = answers.at(-1)?.headers;
  expect([limited?.['connection'], limited?.['retry-after']]).toEqual(['close', expect.stringMatching(/^[123]$/)]);
  const sentAt = performance.now();
  expect((await sendRaw(base, inItsName())).status).toBe(429);
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(990);
  expect((await sendRaw(base, unknownKey())).status).toBe(401);
  expect((await sendRaw(base, withoutHeader())).status).toBe(401);
  expect((await sendSigned(base, other)).status).toBe(200);
  const wrong = { ...authorize(other, {}), sign: Buffer.alloc(64, 1).toString('base64') };
  expect((await sendRaw(base, requestBytes({ authorization: wrong }))).status).toBe(401);
});

it('what cannot be read is limited too, apart from unknown keys (S3)', async () => {
  const base = await restart();
  await untilLimited(base, withoutHeader);
  expect((await sendRaw(base, unknownKey())).status).toBe(401);
  await untilLimited(base, unknownKey);
});

it.each([
  ['a request that means two things', twoMeanings, 400],
  ['a body that is too large', tooLarge, 413],
])('%s is limited too (S3)', async (_name, noise, status) => {
  const base = await restart();
  const answers = await untilLimited(base, noise);
  expect(answers[0]?.status).toBe(status);
  expect((await sendSigned(base, partner)).status).toBe(200);
});

it('behind trusted proxies the address is the one that they saw; a stranger’s header changes nothing (S3)', async () => {
  const from = (address: string, noise: Noise) => () =>
    Buffer.from(noise().toString('latin1').replace('\r\n', `\r\nX-Forwarded-For: ${address}\r\n`), 'latin1');
  const trusting = await restart({ TRUSTED_PROXIES: '127.0.0.0/8' });
  await untilLimited(trusting, from('198.51.100.1', unknownKey));
  expect((await sendRaw(trusting, from('198.51.100.2', unknownKey)())).status).toBe(401);
  expect((await sendRaw(trusting, from('198.51.100.2, 198.51.100.1', unknownKey)())).status).toBe(429);
  const doubting = await restart();
  await untilLimited(doubting, from('198.51.100.1', unknownKey));
  expect((await sendRaw(doubting, from('198.51.100.2', unknownKey)())).status).toBe(429);
});
