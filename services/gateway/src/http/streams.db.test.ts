import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import { authorize, givenPartner, startGateway, startTestDatabase, type TestPartner } from '../../test/gateway.ts';

const PATH = '/api/event-stream?after=place';

/** What the service waits for before it answers. */
let mayAnswer = Promise.resolve<null>(null);
const opened: { readonly req: IncomingMessage; readonly res: ServerResponse }[] = [];
const notifier = createServer((req, res) => {
  if (req.url === '/internal/partner-standing') {
    res.end('{}');
    return;
  }
  opened.push({ req, res });
  void mayAnswer.then(() => {
    const own = { 'Content-Type': 'text/event-stream', 'X-Request-Id': String(req.headers['x-request-id']) };
    res.writeHead(200, own).flushHeaders();
  });
});
let database: Awaited<ReturnType<typeof startTestDatabase>>;
let gateway: ServiceProcess;
let partner: TestPartner;
beforeAll(async () => {
  await once(notifier.listen(0, '127.0.0.1'), 'listening');
  database = await startTestDatabase();
  partner = await givenPartner(database.database);
  const { port } = notifier.address() as AddressInfo;
  gateway = await startGateway(database.url, `http://127.0.0.1:${String(port)}`);
});
afterAll(async () => {
  await gateway.stop();
  notifier.closeAllConnections();
  notifier.close();
  await database.drop();
});

const headers = () => ({ Authorization: JSON.stringify(authorize(partner, { target: PATH })) });
const until = async (isSo: () => boolean) => {
  while (!isSo()) await wait(5);
};

/** A signed stream, and its other end at the service. */
async function open() {
  const before = opened.length;
  const sent = request(`${gateway.urlOf('api')}${PATH}`, { headers: headers(), agent: false });
  sent.on('error', () => undefined).end();
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  let isWhole: boolean | undefined;
  res.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  res.on('close', () => (isWhole = res.complete));
  const far = opened[before];
  if (far === undefined) throw new Error('the service saw no request');
  return { sent, res, far, text: () => text, isWhole: () => isWhole };
}

it('passes a stream on as it comes, with what the partner asked for', async () => {
  const { res, far, text, sent } = await open();
  expect([res.statusCode, res.headers['content-type'], res.headers['x-accel-buffering']]).toEqual([200, 'text/event-stream', 'no']);
  expect(far.req.url).toBe(PATH);
  for (const part of ['id: 1\n\n', 'id: 2\n\n']) {
    far.res.write(part);
    await until(() => text().endsWith(part));
  }
  const closed = once(far.res, 'close');
  sent.destroy();
  await closed;
});

it('ends it with the service, and breaks it off where the service does', async () => {
  const whole = await open();
  const broken = await open();
  whole.far.res.end();
  broken.far.res.destroy();
  await until(() => whole.isWhole() !== undefined && broken.isWhole() !== undefined);
  expect([whole.isWhole(), broken.isWhole()]).toEqual([true, false]);
});

it('429 RATE_LIMITED: a ninth stream of one partner; the latency of the API has none of them', async () => {
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  while (streams.length < 8) streams.push(await open());
  const ninth = await fetch(`${gateway.urlOf('api')}${PATH}`, { headers: headers() });
  expect([ninth.status, await ninth.json()]).toEqual([429, expect.objectContaining({ code: 'RATE_LIMITED' })]);
  for (const { sent, far } of streams) {
    const closed = once(far.res, 'close');
    sent.destroy();
    await closed;
  }
  const metrics = await (await fetch(`${gateway.urlOf('private')}/metrics`)).text();
  expect(metrics).toMatch(/http_requests_total\{[^}]*route="\/api\/event-stream"/);
  expect(metrics).not.toMatch(/http_request_duration_seconds_count\{[^}]*event-stream[^}]*\} [2-9]/);
});

it('ends its streams when it drains: the client continues elsewhere', async () => {
  const { isWhole } = await open();
  const answer = Promise.withResolvers<null>();
  mayAnswer = answer.promise;
  const before = opened.length;
  const late = open();
  await until(() => opened.length > before);
  const stopped = gateway.stop();
  await until(() => isWhole() !== undefined);
  // One that opens now ends as well.
  answer.resolve(null);
  const { isWhole: isLateWhole } = await late;
  await stopped;
  await until(() => isLateWhole() !== undefined);
  expect([isWhole(), isLateWhole()]).toEqual([true, true]);
});
