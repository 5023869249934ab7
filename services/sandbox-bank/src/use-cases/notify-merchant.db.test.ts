import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestBank, toRecord, type TestBank } from '../../test/bank.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { startLoop } from '@pay/shared/time/loop.ts';
import { createNotifier, type Notifier } from '../notifier.ts';
import { notifyDue, notifyLoop } from './notify-merchant.ts';

const CARD = '4111111111111111';
type Received = { readonly body: Record<string, unknown>; readonly isSigned: boolean };
const received: Received[] = [];
const key = randomBytes(32);
let answer = 200;
const merchant = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const raw = Buffer.concat(chunks);
    const signature = createHmac('sha256', key).update(raw).digest('hex');
    received.push({
      body: toRecord(JSON.parse(raw.toString())),
      isSigned: req.headers['x-bank-signature'] === signature,
    });
    res.writeHead(answer).end();
  });
});

let bank: TestBank;
let notifier: Notifier;
beforeAll(async () => {
  await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve));
  const { port } = merchant.address() as AddressInfo;
  notifier = createNotifier(`http://127.0.0.1:${String(port)}/bank`, key);
  bank = await startTestBank(notifier);
});
afterAll(async () => {
  await bank.close();
  merchant.close();
});
beforeEach(async () => {
  await bank.call('POST', '/control/reset', {});
  await bank.call('POST', '/control/notifications', { mode: 'send' });
  received.length = 0;
  answer = 200;
});

const round = () => notifyLoop(bank.deps, notifier).round(new AbortController().signal);
const arrived = async (count: number) => {
  while (received.length < count) await wait(5);
};
const idsOf = () => received.map(({ body }) => body['operationId']);
async function givenPaid(): Promise<string> {
  const operationId = await bank.givenOrder();
  await bank.authorize(operationId, CARD);
  return operationId;
}

describe('what the merchant is told', () => {
  it('an operation that ended, signed, once; not one that is open', async () => {
    await bank.givenOrder();
    const paid = await givenPaid();
    await round();
    await round();
    expect(received).toMatchObject([
      { isSigned: true, body: { operationId: paid, kind: 'ORDER', status: 'APPROVED', amountKopecks: '1050' } },
    ]);
    expect((await bank.call('GET', '/control/notifications')).body).toMatchObject({ mode: 'send', waiting: 0 });
  });

  it('a refund, and an order that time alone has ended', async () => {
    const paid = await givenPaid();
    const refund = { operationId: randomUUID(), originalOperationId: paid, amountKopecks: '50' };
    await bank.call('POST', '/v1/refunds', refund);
    const expired = await bank.givenOrder({ expiresAt: '2020-01-01T00:00:00.000Z' });
    await round();
    expect(new Set(idsOf())).toEqual(new Set([paid, refund.operationId, expired]));
  });

  it('again later when the merchant did not take it, and given up after the last pause', async () => {
    answer = 500;
    const paid = await givenPaid();
    await round();
    const due = (sql: string) => bank.database.pool.query(sql);
    for (let attempt = 2; attempt <= 6; attempt += 1) {
      expect(await notifyDue(bank.deps, notifier, 'oldest')).toBe(0);
      await due('update operations set notify_at = clock_now() where notify_at is not null');
      await round();
    }
    expect(idsOf()).toEqual([paid, paid, paid, paid, paid, paid]);
    expect((await bank.call('GET', '/control/notifications')).body['waiting']).toBe(0);
  });

  it('duplicate: twice each', async () => {
    await bank.call('POST', '/control/notifications', { mode: 'duplicate' });
    const paid = await givenPaid();
    await round();
    expect(idsOf()).toEqual([paid, paid]);
  });

  it('hold and release, the newest first: out of order', async () => {
    await bank.call('POST', '/control/notifications', { mode: 'hold' });
    const [first, second] = [await givenPaid(), await givenPaid()];
    await round();
    expect(received).toEqual([]);
    await bank.call('POST', '/control/notifications/release', { order: 'newest' });
    expect(idsOf()).toEqual([second, first]);
  });
});

describe('when the bank looks', () => {
  /** While `work` runs, the loop runs as in the bank's process, but never by its interval. */
  async function whileLooking(work: () => Promise<void>): Promise<void> {
    const loop = startLoop({ ...notifyLoop(bank.deps, notifier), intervalMs: 2 ** 30 }, createLog('bank', 'silent'));
    try {
      await work();
    } finally {
      const stopped = loop.stop();
      notifier.pause.wake();
      await stopped;
    }
  }

  it('soon after a request that ended an operation, on either port', async () => {
    await whileLooking(async () => {
      await givenPaid();
      await arrived(1);
      const sbp = await bank.givenOrder({ method: 'SBP' });
      await bank.call('POST', `/control/operations/${sbp}/decide`, { status: 'DECLINED' });
      await arrived(2);
      expect(idsOf()[1]).toBe(sbp);
    });
  });

  it('when the next operation ends by time, and when the clock is moved there', async () => {
    const { body } = await bank.call('GET', '/control/clock');
    const soon = new Date(Date.parse(String(body['now'])) + 1_500).toISOString();
    await whileLooking(async () => {
      const expiring = await bank.givenOrder({ expiresAt: soon });
      await arrived(1);
      expect(idsOf()).toEqual([expiring]);
      const later = await bank.givenOrder({ expiresAt: new Date(Date.parse(soon) + 86_400_000).toISOString() });
      await bank.call('POST', '/control/clock', { advance: 'P2D' });
      await arrived(2);
      expect(idsOf()[1]).toBe(later);
    });
  });

  it('again when the pause after a failure is over', async () => {
    answer = 500;
    await whileLooking(async () => {
      const paid = await givenPaid();
      await arrived(2);
      expect(idsOf()).toEqual([paid, paid]);
    });
  });
});
