import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/database/database.ts';
import { CARD, payForm, startTestApp, type TestApp } from '../../test/app.ts';

/** Between this process and PostgreSQL: cuts a connection at its next COMMIT, before it arrives or after it was done. */
async function startCutter(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const cutter = { cutNext: undefined as 'before' | 'after' | undefined, cuts: 0 };
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (cutter.cutNext !== undefined && bytes.includes('commit')) {
        isCut = true;
        cutter.cuts += 1;
        const when = cutter.cutNext;
        cutter.cutNext = undefined;
        if (when === 'before') {
          client.destroy();
          return;
        }
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCut) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { cutter, url: url.href, close };
}

let t: TestApp;
let cut: Awaited<ReturnType<typeof startCutter>>;
let database: Database;
beforeAll(async () => {
  t = await startTestApp();
  cut = await startCutter(t.databaseUrl);
  database = openDatabase({ url: cut.url, applicationName: 'payments-cut', onIdleError: () => undefined });
});
afterAll(async () => {
  await database.close();
  cut.close();
  await t.close();
});

it('the COMMIT of the intent is stored and its answer lost: the card goes to the bank, and the buyer pays', async () => {
  const { id, formToken } = await t.givenPayment();
  cut.cutter.cutNext = 'after';
  expect(await payForm({ ...t.deps, db: database.db }, formToken, CARD)).toBe('accepted');
  expect(cut.cutter.cuts).toBe(1);
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
});

it('the COMMIT of the intent never arrives: nothing is stored, and the buyer pays at the second try', async () => {
  const { id, formToken } = await t.givenPayment();
  cut.cutter.cutNext = 'before';
  const pay = () => payForm({ ...t.deps, db: database.db }, formToken, CARD);
  await expect(pay()).rejects.toThrow();
  expect(t.bank.calls.some(({ call, operationId }) => call === 'authorize' && operationId === id)).toBe(false);
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
  expect(await pay()).toBe('accepted');
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
});
