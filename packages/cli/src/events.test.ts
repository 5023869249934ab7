import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startApiServer, type ApiServer } from '../../sdk/test/api-server.ts';
import { runHere, writeProfile } from '../test/run-cli.ts';
import { generateKeys } from '@pay/sdk/keys.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
const AT = '2026-11-21T00:00:00.000Z';
const event = {
  eventId: 'e-1',
  type: 'payment.completed',
  objectId: 'p-1',
  aggregateVersion: 1,
  status: 'REFUSED',
  attemptCount: 1,
  recordedAt: AT,
  nextAttemptAt: null,
  endedAt: AT,
};
const attempt = {
  number: 1,
  url: 'https://shop.example/cb',
  keyIds: ['k'],
  startedAt: AT,
  durationMs: 12,
  httpStatus: 404,
  failure: null,
  outcome: 'REFUSED',
  answerBase64: null,
  nextAttemptAt: null,
  isReplay: false,
};

let server: ApiServer;
let profile: ReturnType<typeof writeProfile>;
let seen = 0;
const pay = (...args: readonly string[]) => runHere(['--profile', profile.file, 'events', ...args]);
const sent = () => server.requests.slice(seen).map(({ method, target }) => [method, target]);

beforeAll(async () => {
  server = await startApiServer(partner);
  profile = writeProfile({ baseUrl: server.url, ...partner, paymentPoints: { card: 'a', qr: 'b' } }, keys.privateKeyPem);
});
afterAll(async () => {
  await server.close();
  profile.remove();
});
beforeEach(() => {
  seen = server.requests.length;
});

it('19: list with its filters, and how to go on', async () => {
  server.reply({ status: 200, body: { items: [event], nextPageToken: 't' } });
  const filters = ['--object', 'p-1', '--type', 'payment.completed', '--status', 'REFUSED', '--from', AT, '--limit', '5'];
  const { exitCode, stdout } = await pay('list', ...filters);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/e-1 .*REFUSED[\s\S]*more: --page-token t/)]);
  expect(sent()).toEqual([
    ['GET', `/api/events?limit=5&objectId=p-1&type=payment.completed&status=REFUSED&from=${encodeURIComponent(AT)}`],
  ]);
});

it('19: get shows each attempt; replay sends a key of its own, or the given one', async () => {
  server.reply({ status: 200, body: { ...event, body: '{}', attempts: [attempt] } });
  expect((await pay('get', 'e-1')).stdout).toMatch(/REFUSED {2}404 {2}12 ms/);
  server.reply({ status: 202, body: { ...event, status: 'WAITING' } });
  expect((await pay('replay', 'e-1', '--idempotency-key', 'replay-key-0000001')).stdout).toContain('WAITING');
  expect(sent()).toEqual([
    ['GET', '/api/events/e-1'],
    ['POST', '/api/events/e-1/replay'],
  ]);
  expect(server.requests.at(-1)?.idempotencyKey).toBe('replay-key-0000001');
});

it('2: a status that is none, and nothing is sent', async () => {
  expect((await pay('list', '--status', 'LOST')).exitCode).toBe(2);
  expect(sent()).toEqual([]);
});
