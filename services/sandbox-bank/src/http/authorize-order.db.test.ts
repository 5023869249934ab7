import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { cardOf, startTestBank, toRecord, type TestBank } from '../../test/bank.ts';
import { lockOperation } from '../db/operations.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

const read = (operationId: string) => bank.call('GET', `/v1/operations/${operationId}`);

describe('POST /v1/orders/{operationId}/authorize, by card', () => {
  it.each([
    ['4111111111111111', 'APPROVED', undefined, 1],
    ['2200700000000009', 'APPROVED', undefined, 1],
    ['2200700000000041', 'APPROVED', undefined, 1],
    ['2200700000000058', 'APPROVED', undefined, 1],
    ['4000000000000002', 'DECLINED', 'DECLINED_BY_ISSUER', 0],
    ['4000000000009995', 'DECLINED', 'INSUFFICIENT_FUNDS', 0],
    ['4000000000009987', 'DECLINED', 'CARD_BLOCKED', 0],
    ['4000000000000069', 'DECLINED', 'CARD_EXPIRED', 0],
    ['4242424242424242', 'DECLINED', 'INVALID_CARD_DETAILS', 0],
    ['5500000000000004', 'DECLINED', 'INVALID_CARD_DETAILS', 0],
  ])('%s: %s %s', async (number, status, reason, moneyMoved) => {
    const operationId = await bank.givenOrder();
    const { body } = await bank.authorize(operationId, number);
    expect([body['status'], body['reason']]).toEqual([status, reason]);
    expect(body['cardMask']).toBe(`${number.slice(0, 6)}******${number.slice(-4)}`);
    expect((await read(operationId)).body).toEqual(body);
    expect(await bank.moneyMoved(operationId)).toBe(moneyMoved);
  });

  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
  it.each([
    ['4111111111111111', 'APPROVED', 'Y', '05'],
    ['2200700000000009', 'APPROVED', 'Y', undefined],
    ['4000000000003105', 'APPROVED', 'A', '06'],
    ['4000000000003113', 'APPROVED', 'U', '07'],
    ['4000000000003121', 'DECLINED', 'R', '07'],
    ['4000000000009995', 'DECLINED', 'Y', '05'],
    ['4000003800000446', 'THREE_DS_REQUIRED', 'C', undefined],
    ['4242424242424242', 'DECLINED', undefined, undefined],
  ])('%s: %s, and what the issuer said of the buyer: %s, ECI %s', async (number, status, transStatus, eci) => {
    const operationId = await bank.givenOrder();
    const { body } = await bank.authorize(operationId, number);
    expect([body['status'], body['transStatus'], body['eci']]).toEqual([status, transStatus, eci]);
    const [version, id] = transStatus === undefined ? [undefined, undefined] : ['2.2.0', uuid];
    expect(body['threeDsVersion']).toEqual(version);
    for (const name of ['threeDsServerTransId', 'dsTransId', 'acsTransId']) expect(body[name]).toEqual(id);
    expect(JSON.stringify(body)).not.toMatch(/cavv|cryptogram/i);
  });

  it('4000003800000446: THREE_DS_REQUIRED with the address of the page', async () => {
    const operationId = await bank.givenOrder();
    const { body } = await bank.authorize(operationId, '4000003800000446');
    expect(body['status']).toBe('THREE_DS_REQUIRED');
    expect(body['acsUrl']).toMatch(new RegExp(`^${bank.url}/3ds/[0-9a-f]{32}$`));
    expect(await bank.moneyMoved(operationId)).toBe(0);
  });

  it.each([
    ['2200700000000017', 'APPROVED', undefined, 1],
    ['2200700000000025', 'DECLINED', 'ISSUER_UNAVAILABLE', 0],
  ])('%s: no answer at all, then %s %s on read-back and on a second authorize', async (number, status, reason, moneyMoved) => {
    const operationId = await bank.givenOrder();
    await expect(bank.authorize(operationId, number)).rejects.toThrow();
    for (const { body } of [await read(operationId), await bank.authorize(operationId, number)]) {
      expect([body['status'], body['reason']]).toEqual([status, reason]);
    }
    expect(await bank.moneyMoved(operationId)).toBe(moneyMoved);
  });

  it('2200700000000033: PENDING when the session ends, APPROVED five minutes later, and cancelling changes nothing', async () => {
    const clock = toRecord((await bank.call('GET', '/control/clock')).body);
    const expiresAt = new Date(new Date(String(clock['now'])).getTime() + 3_600_000).toISOString();
    const operationId = await bank.givenOrder({ expiresAt });
    expect((await bank.authorize(operationId, '2200700000000033', { saveCard: true })).body['status']).toBe('PENDING');
    expect((await bank.call('POST', `/v1/orders/${operationId}/cancel`)).body['status']).toBe('PENDING');
    const before = (await read(operationId)).body;
    expect([before['status'], before['cardToken']]).toEqual(['PENDING', undefined]);
    await bank.call('POST', '/control/clock', { advance: 'PT1H' });
    expect((await read(operationId)).body['status']).toBe('PENDING');
    expect((await bank.call('POST', `/v1/orders/${operationId}/cancel`)).body['status']).toBe('PENDING');
    await bank.call('POST', '/control/clock', { advance: 'PT1H' });
    const after = (await read(operationId)).body;
    expect([after['status'], after['cardToken']]).toEqual(['APPROVED', expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await bank.moneyMoved(operationId)).toBe(1);
    await bank.call('POST', '/control/clock', { reset: true });
  });

  it('an expiry in the past: CARD_EXPIRED', async () => {
    const card = { ...cardOf('4111111111111111'), expiryMonth: 1, expiryYear: 20 };
    const { body } = await bank.authorize(await bank.givenOrder(), '', { card });
    expect(body).toMatchObject({ status: 'DECLINED', reason: 'CARD_EXPIRED', cardExpiry: '2020-01' });
  });
});

describe('POST /v1/orders/{operationId}/authorize', () => {
  it('issues a token only when asked to save the card, and only for an approved payment', async () => {
    const saved = await bank.authorize(await bank.givenOrder(), '4111111111111111', { saveCard: true });
    expect(saved.body).toMatchObject({ cardToken: expect.stringMatching(/^[0-9a-f]{32}$/), cardExpiry: '2099-12' });
    const plain = await bank.authorize(await bank.givenOrder(), '4111111111111111');
    expect(plain.body).not.toHaveProperty('cardToken');
    const declined = await bank.authorize(await bank.givenOrder(), '4000000000000002', { saveCard: true });
    expect(declined.body).not.toHaveProperty('cardToken');
  });

  it('fifty at once with different cards take the money once, and all get the same state', async () => {
    const operationId = await bank.givenOrder();
    const numbers = ['4111111111111111', '2200700000000009', '2200700000000041', '2200700000000058'];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => bank.authorize(operationId, numbers[index % 4] ?? '')));
    expect(new Set(answers.map(({ status, body }) => `${String(status)} ${String(body['status'])}`))).toEqual(new Set(['200 APPROVED']));
    expect(new Set(answers.map(({ body }) => body['cardMask'])).size).toBe(1);
    expect(await bank.moneyMoved(operationId)).toBe(1);
    const { body } = await bank.call('GET', `/control/operations/${operationId}`);
    expect(toRecord(toRecord(body['counters'])['requests'])['authorize']).toBe(50);
  });

  it('two calls that wait for the same order at the same moment: one decides, the other gets its state', async () => {
    const operationId = await bank.givenOrder();
    const [answers] = await bank.deps.db.transaction(async (tx) => {
      await lockOperation(tx, operationId);
      const waiting = Promise.all([bank.authorize(operationId, '4111111111111111'), bank.authorize(operationId, '2200700000000009')]);
      await bank.untilBlocked(2);
      return [waiting];
    });
    const [first, second] = await answers;
    expect([first.status, first.body['status']]).toEqual([200, 'APPROVED']);
    expect(second).toEqual(first);
    expect(await bank.moneyMoved(operationId)).toBe(1);
  });

  it('a declined order stays declined: another card does not pay it', async () => {
    const operationId = await bank.givenOrder();
    await bank.authorize(operationId, '4000000000009995');
    expect((await bank.authorize(operationId, '4111111111111111')).body['status']).toBe('DECLINED');
    expect(await bank.moneyMoved(operationId)).toBe(0);
  });

  it('404 for an order the bank does not know; 409 for an SBP order', async () => {
    const unknown = await bank.authorize(randomUUID(), '4111111111111111');
    expect([unknown.status, unknown.body['errorCode']]).toEqual([404, 'OPERATION_NOT_FOUND']);
    const sbp = await bank.authorize(await bank.givenOrder({ method: 'SBP' }), '4111111111111111');
    expect([sbp.status, sbp.body['errorCode']]).toEqual([409, 'OPERATION_STATE']);
  });

  it.each([
    ['card.number', { number: '4111 1111 1111 1111' }],
    ['card.expiryMonth', { expiryMonth: '13' }],
    ['card.expiryYear', { expiryYear: '1999' }],
    ['card.cvv', { cvv: '12' }],
  ])('400 names %s and never repeats what was sent', async (field, change) => {
    const operationId = await bank.givenOrder();
    const card = { ...cardOf('4111111111111111'), ...change };
    const { status, body } = await bank.authorize(operationId, '', { card });
    expect(status).toBe(400);
    expect(body['fields']).toEqual([{ field, message: expect.any(String) }]);
    expect(JSON.stringify(body)).not.toMatch(/4111|1999|"12"/);
  });

  it('no row of any table holds a card number or a CVV', async () => {
    for (const { number } of TEST_CARDS) {
      const card = { ...cardOf(number), cvv: '7319' };
      await bank.authorize(await bank.givenOrder(), number, { card, saveCard: true }).catch(() => undefined);
    }
    const tables = ['operations', 'saved_cards', 'history'];
    const rows = await Promise.all(
      tables.map((table) => selectRows(bank.database.db, sql.raw(`select to_jsonb(t)::text as row from ${table} t`))),
    );
    const text = JSON.stringify(rows);
    expect(rows.every((found) => found.length > 0)).toBe(true);
    for (const { number } of TEST_CARDS) expect(text).not.toContain(number);
    expect(text).not.toMatch(/\\"[a-z_]+\\": \\?"?7319\\?"?[,}]/);
  });
});
