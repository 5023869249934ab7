import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@pay/shared/logging/logger.ts';
import { createServiceClient } from '@pay/shared/service-client/service-client.ts';
import { createPause } from '@pay/shared/time/pause.ts';
import { givenPartner, KEYS, startTestDatabase } from '../../test/gateway.ts';
import { publishStandingLoop } from './publish-standing.ts';

/** Half a minute of them. */
const ROUNDS_BEFORE_WARNING = 60;
const REFUSED = { level: 'info', message: 'payments accepts no connection, partners are told once it does', isStack: false };
const STILL_REFUSED = { level: 'warn', message: 'payments has accepted no connection for a while, will retry', isStack: true };
const FAILED = { level: 'warn', message: 'could not tell payments about a partner, will retry', isStack: true };

let test: Awaited<ReturnType<typeof startTestDatabase>>;
beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(() => test.drop());

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** The loop of a gateway, its log, and a payments that answers with `status` while it listens. */
async function startLoop(status: number, isTaken: () => boolean = () => false) {
  const lines: (typeof REFUSED)[] = [];
  const write = (level: string) => (message: string, fields?: object) => {
    lines.push({ level, message, isStack: fields !== undefined && 'err' in fields });
  };
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const server = createServer((_req, res) => res.writeHead(isTaken() ? 200 : status, { Connection: 'close' }).end('{}'));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const client = createServiceClient({
    issuer: 'gateway',
    name: 'payments',
    urls: [`http://127.0.0.1:${String(port)}`],
    tokenKey: KEYS.PAYMENTS_INTERNAL_TOKEN_KEY,
    log,
  });
  const loop = publishStandingLoop({ db: test.database.db, payments: client, log, pause: createPause() });
  const stopListening = () => new Promise((resolve) => server.close(resolve));
  opened.push(stopListening, () => client.close());
  return {
    lines,
    stopListening,
    listenAgain: () => listen(port),
    rounds: async (count: number) => {
      for (let round = 0; round < count; round += 1) await loop.round(new AbortController().signal);
    },
  };
}

it('while payments does not listen yet, the log has one line without a stack, and a warning after half a minute', async () => {
  await givenPartner(test.database);
  await givenPartner(test.database);
  const t = await startLoop(200);
  await t.stopListening();
  await t.rounds(ROUNDS_BEFORE_WARNING - 1);
  expect(t.lines).toEqual([REFUSED]);
  await t.rounds(1);
  expect(t.lines).toEqual([REFUSED, STILL_REFUSED]);
  await t.rounds(ROUNDS_BEFORE_WARNING);
  expect(t.lines).toEqual([REFUSED, STILL_REFUSED, STILL_REFUSED]);
});

it('once payments listens, every partner is told, and the next time that it is away is a line of its own', async () => {
  await givenPartner(test.database);
  await givenPartner(test.database);
  const t = await startLoop(200);
  await t.stopListening();
  await t.rounds(3);
  await t.listenAgain();
  await t.rounds(1);
  await t.stopListening();
  await t.rounds(3);
  expect(t.lines).toEqual([REFUSED]);
  await givenPartner(test.database);
  await t.rounds(3);
  expect(t.lines).toEqual([REFUSED, REFUSED]);
});

it('a payments that answers with an error is a warning for each partner, at once', async () => {
  await givenPartner(test.database);
  await givenPartner(test.database);
  const t = await startLoop(500);
  await t.rounds(1);
  expect(t.lines.length).toBeGreaterThanOrEqual(2);
  expect(t.lines).toEqual(t.lines.map(() => FAILED));
});

it('a hundred partners that payments does not take hide none behind them (V6)', async () => {
  let asked = 0;
  const { rounds } = await startLoop(409, () => (asked += 1) > 100);
  for (let count = 0; count <= 100; count += 1) await givenPartner(test.database);
  const untold = async () => (await test.database.pool.query('select from partners where revision > told_revision')).rowCount;
  const before = (await untold()) ?? 0;
  expect(before).toBeGreaterThan(100);
  await rounds(2);
  expect(await untold()).toBe(100);
});
