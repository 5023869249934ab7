import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { RegisterList, RegisterPart } from '@pay/contract/api/registers.ts';
import { RegisterReady } from '@pay/contract/messages.ts';
import { closeDays } from '@pay/shared/registers/close-days.ts';
import { PART_LINES } from '@pay/shared/registers/register.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { dayOf, endOfDay, startOfDay } from '@pay/shared/time/day.ts';
import { CARD, startTestApp, type Answer, type TestApp } from '../../../test/app.ts';
import { insertLedgerTransaction, readPayable } from '../../db/ledger/ledger.ts';
import { entriesForCompleted } from '../../domain/ledger/ledger.ts';
import { RUBLE_DAYS } from '../../use-cases/ledger/close-days.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  // No story begins just before midnight.
  await endDay();
});
afterAll(() => t.close());

const now = () => clock(t.deps.db);
/** Moves the clock forward to a moment. */
async function moveTo(moment: Date): Promise<void> {
  await t.moveClock(`${String(moment.getTime() - (await now()).getTime())} milliseconds`);
}
/** As long after the end of today as said; returns the day that has ended. */
async function endDay(after = '10 minutes 1 second'): Promise<string> {
  const day = dayOf(await now());
  await moveTo(endOfDay(day));
  await t.moveClock(after);
  return day;
}
/** Closes what is due, however much. */
async function closeAll(): Promise<void> {
  while ((await closeDays(t.deps, RUBLE_DAYS)) > 0);
}
const get = (path: string, partner: string): Promise<Answer> => t.call('GET', `/api/registers/RUB${path}`, { partner });
const registersOf = async (partner: string) => RegisterList.parse((await get('?limit=100', partner)).body).items;
const partOf = async (partner: string, day: string, part = 1) =>
  RegisterPart.parse((await get(`/${day}?part=${String(part)}`, partner)).body);
/** A payment of `rubles` that the buyer paid at the partner's point. */
async function paid({ partner, point }: { partner: string; point: string }, rubles: number, orderID: string = randomUUID()) {
  const { body } = await t.create({ paymentPointID: point, amount: rubles, orderID }, { partner });
  await t.pay(String((await t.payment(body['id']))['form_token']), CARD);
  return String(body['id']);
}
const refund = (partner: string, id: string, amount: string, more = {}) =>
  t.call('POST', `/api/card/${id}/refunds`, { partner, body: { amount, ...more } });
const kopecksOf = (text: string): bigint => BigInt(text.replace('.', ''));

describe('19: a register', () => {
  it('opening + payments + charges + refunds + fees = closing, line by line; every answer as the document has it', async () => {
    const { bindingId } = await t.givenSavedCard({ amount: 990 });
    await t.charge(bindingId);
    await t.work();
    const plain = await t.givenPayment({ amount: 100.5, orderID: `-1A${randomUUID()}` });
    await t.pay(plain.checkoutToken);
    await refund('partner-1', plain.id, '40.00', { merchantRefundId: '=1+1' });
    const day = await endDay();
    await closeAll();
    const answer = await get(`/${day}`, 'partner-1');
    expect(RegisterPart.parse(answer.body)).toEqual(answer.body);
    // Fees are 2.5 %, halves up: 24.75, 2.50 and 2.51.
    expect(answer.body).toMatchObject({
      date: day,
      openingBalance: '0.00',
      payments: '1090.50',
      recurringCharges: '100.00',
      refunds: '-40.00',
      fees: '-29.76',
      closingBalance: '1120.74',
      lines: 4,
      part: 1,
      parts: 1,
      items: [
        { line: 1, type: 'PAYMENT', paymentMethod: 'CARD', amount: '990.00', fee: '-24.75', net: '965.25', balance: '965.25' },
        { line: 2, type: 'RECURRING_CHARGE', paymentMethod: 'CARD_BINDING', amount: '100.00', fee: '-2.50', balance: '1062.75' },
        {
          line: 3,
          type: 'PAYMENT',
          orderId: plain.id,
          merchantOrderId: plain.orderID,
          refundId: null,
          amount: '100.50',
          fee: '-2.51',
          balance: '1160.74',
        },
        {
          line: 4,
          type: 'REFUND',
          orderId: plain.id,
          merchantRefundId: '=1+1',
          amount: '-40.00',
          fee: '0.00',
          net: '-40.00',
          balance: '1120.74',
        },
      ],
    });
    const csv = await get(`/${day}?format=csv`, 'partner-1');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = csv.text.split('\r\n').map((row) => row.split(','));
    expect(rows).toHaveLength(8);
    expect(rows[0]?.join()).toBe(
      'line,bookedAt,type,orderId,merchantOrderId,refundId,merchantRefundId,paymentPointID,paymentMethod,amount,fee,net,balance,currency',
    );
    expect(rows[1]).toEqual(['', `${day}T00:00:00.000Z`, 'OPENING_BALANCE', ...Array<string>(9).fill(''), '0.00', 'RUB']);
    expect(rows[4]?.[4]).toBe(`'${plain.orderID}`);
    expect(rows[5]?.slice(6)).toEqual(["'=1+1", 'point-1', 'CARD', '-40.00', '0.00', '-40.00', '1120.74', 'RUB']);
    expect(rows[6]?.slice(2)).toEqual(['CLOSING_BALANCE', ...Array<string>(9).fill(''), '1120.74', 'RUB']);
    expect(rows[7]).toEqual(['']);
  });

  it('is made ten minutes after the end of its day, and not before; until then the day is 404, as one to come is', async () => {
    const someone = await t.givenPartner();
    await paid(someone, 10);
    const day = dayOf(await now());
    await closeAll();
    const today = await get(`/${day}`, someone.partner);
    expect([today.status, today.body]).toEqual([
      404,
      expect.objectContaining({ code: 'NOT_FOUND', error: expect.stringContaining('10 minutes after') }),
    ]);
    await endDay('9 minutes 59 seconds');
    await closeAll();
    expect((await get(`/${day}`, someone.partner)).status).toBe(404);
    await t.moveClock('2 seconds');
    await closeAll();
    expect((await get(`/${day}`, someone.partner)).status).toBe(200);
    for (const other of ['2099-01-01', '2020-01-01', '2026-02-30', 'today']) {
      expect((await get(`/${other}`, someone.partner)).body['code']).toBe('NOT_FOUND');
    }
  });

  it('an empty day has one, with the balance that was', async () => {
    const someone = await t.givenPartner();
    await paid(someone, 10);
    const [first, second] = [await endDay(), await endDay()];
    await closeAll();
    expect(await partOf(someone.partner, first)).toMatchObject({ lines: 1, closingBalance: '9.75' });
    const empty = await partOf(someone.partner, second);
    expect(empty).toMatchObject({ openingBalance: '9.75', closingBalance: '9.75', lines: 0, parts: 1, items: [] });
    const csv = (await get(`/${second}?format=csv`, someone.partner)).text.split('\r\n');
    expect(csv.map((row) => row.split(',')[2])).toEqual(['type', 'OPENING_BALANCE', 'CLOSING_BALANCE', undefined]);
  });

  it('a fee that takes all of a payment is in it', async () => {
    const someone = await t.givenPartner({ feeBasisPoints: 10_000 });
    await paid(someone, 10);
    const day = await endDay();
    await closeAll();
    const only = { type: 'PAYMENT', amount: '10.00', fee: '-10.00', net: '0.00', balance: '0.00' };
    expect(await partOf(someone.partner, day)).toMatchObject({ closingBalance: '0.00', items: [only] });
  });

  it('a booking that began before midnight and committed after the closing stands in the next one; the closed day stays', async () => {
    const someone = await t.givenPartner();
    await paid(someone, 10);
    const { body } = await t.create({ paymentPointID: someone.point, amount: 20 }, { partner: someone.partner });
    const row = await t.payment(body['id']);
    const booked = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    const late = t.deps.db.transaction(async (tx) => {
      const payment = {
        partnerId: someone.partner,
        paymentPointId: someone.point,
        routeId: String(row['route_id']),
        amountKopecks: 2_000n,
        feeBasisPoints: 250,
      };
      await insertLedgerTransaction(tx, { kind: 'PAYMENT', referenceId: String(body['id']) }, entriesForCompleted(payment));
      booked.resolve(undefined);
      await gate.promise;
    });
    await booked.promise;
    const day = await endDay();
    await closeAll();
    const closed = await get(`/${day}`, someone.partner);
    expect(closed.body).toMatchObject({ lines: 1, closingBalance: '9.75' });
    gate.resolve(undefined);
    await late;
    const next = await endDay();
    await closeAll();
    expect((await get(`/${day}`, someone.partner)).text).toBe(closed.text);
    const part = await partOf(someone.partner, next);
    expect(part).toMatchObject({ openingBalance: '9.75', closingBalance: '29.25', items: [{ orderId: body['id'], net: '19.50' }] });
    expect(part.items[0]?.bookedAt.slice(0, 10)).toBe(day);
  });

  it('passes over what earlier ones settled, and no booking that committed late or is of a later day', async () => {
    const someone = await t.givenPartner();
    const closing = async () => {
      const day = await endDay();
      await closeAll();
      // Real time, which the test does not wait for.
      await t.rows(`update registers set closed_at = closed_at - interval '61 minutes' where partner_id = $1`, [someone.partner]);
      const [row] = await t.rows('select * from registers where partner_id = $1 and day = $2', [someone.partner, day]);
      return { day, highest: BigInt(String(row?.['highest_position'])), settled: BigInt(String(row?.['settled_position'])) };
    };
    await paid(someone, 10);
    const first = await closing();
    // An open booking holds its rows of the running totals: another on a connection of the same shard would wait
    // (decisions/ledger).
    await t.rows('alter table ledger_entries disable trigger ledger_entry_adds');
    const late = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const { body } = await t.create({ paymentPointID: someone.point, amount: 20 }, { partner: someone.partner });
    const booking = t.deps.db.transaction(async (tx) => {
      const payment = {
        partnerId: someone.partner,
        paymentPointId: someone.point,
        routeId: 'r',
        amountKopecks: 2_000n,
        feeBasisPoints: 250,
      };
      await insertLedgerTransaction(tx, { kind: 'PAYMENT', referenceId: String(body['id']) }, entriesForCompleted(payment));
      begun.resolve(undefined);
      await late.promise;
    });
    await begun.promise;
    await paid(someone, 30);
    const second = await closing();
    late.resolve(undefined);
    await booking;
    await t.rows('alter table ledger_entries enable trigger ledger_entry_adds');
    await t.moveClock('1 day');
    const ofLaterDay = await paid(someone, 40);
    await t.moveClock('-1 day');
    const third = await closing();
    const fourth = await closing();
    // Nothing was an hour old at the first closing, and what it saw is settled by the next; the late one is above that.
    expect([first.settled, second.settled]).toEqual([0n, first.highest]);
    // The fourth leaves nothing to a later day, so all that the third saw is settled; that day's booking held it up.
    expect(third.settled).toBeLessThanOrEqual(second.highest);
    expect(fourth.settled).toBe(third.highest);
    const linesOf = async ({ day }: { day: string }) => (await partOf(someone.partner, day)).items.map(({ amount }) => amount);
    expect(await Promise.all([first, second, third, fourth].map(linesOf))).toEqual([['10.00'], ['30.00'], ['20.00'], ['40.00']]);
    // Proof that nobody looks below: what a register lost there stays lost.
    await t.rows('delete from register_lines where payment_id = $1', [ofLaterDay]);
    const fifth = await closing();
    expect(await linesOf(fifth)).toEqual([]);
  });

  it('is made once, on whichever replica, and told once with it', async () => {
    const someone = await t.givenPartner();
    await paid(someone, 10);
    await endDay();
    await Promise.all(Array.from({ length: 6 }, () => closeDays(t.deps, RUBLE_DAYS)));
    await closeAll();
    const [only, ...more] = await t.rows('select * from registers where partner_id = $1', [someone.partner]);
    expect(more).toEqual([]);
    const told = await t.messages(only?.['register_id']);
    expect(told.map(({ type }) => type)).toEqual(['register.ready']);
    expect(RegisterReady.parse(told[0]?.payload)).toMatchObject({
      partnerId: someone.partner,
      openingKopecks: '0',
      closingKopecks: '975',
      lines: 1,
    });
  });

  it('a day that another replica is closing is left to it', async () => {
    const someone = await t.givenPartner();
    await endDay();
    const holder = new pg.Client({ connectionString: t.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtext(current_schema()), hashtext('registers'))`);
    expect(await closeDays(t.deps, RUBLE_DAYS)).toBe(0);
    expect(await registersOf(someone.partner)).toEqual([]);
    await holder.query('rollback');
    await holder.end();
    await closeAll();
    expect(await registersOf(someone.partner)).toHaveLength(1);
  });

  it('a partner whose day cannot be closed holds up no other', async () => {
    const [broken, whole] = [await t.givenPartner(), await t.givenPartner()];
    // A booking of a payment that is not there.
    const lost = { partnerId: broken.partner, paymentPointId: broken.point, routeId: 'r', amountKopecks: 100n, feeBasisPoints: 0 };
    await t.deps.db.transaction((tx) =>
      insertLedgerTransaction(tx, { kind: 'PAYMENT', referenceId: randomUUID() }, entriesForCompleted(lost)),
    );
    const day = await endDay();
    await closeAll();
    expect(await registersOf(broken.partner)).toEqual([]);
    expect((await registersOf(whole.partner)).map(({ date }) => date)).toEqual([day]);
  });

  it.each([
    'update registers set closing_kopecks = 0',
    'delete from registers',
    'update register_lines set amount_kopecks = 0',
    'delete from register_lines',
    'truncate register_lines',
  ])('is immutable: the service’s own role may not %s', async (statement) => {
    const client = new pg.Client({ connectionString: t.databaseUrl });
    await client.connect();
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });

  it('property: whatever is paid and given back on whatever days, days join, lines sum, and the last balance is the ledger’s', async () => {
    const kopecks = fc.integer({ min: 1, max: 1_000_000 });
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), kopecks }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), part: fc.integer({ min: 1, max: 100 }) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('midnight' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 8 }), fc.integer({ min: 0, max: 9_999 }), async (actions, feeBasisPoints) => {
        const someone = await t.givenPartner({ feeBasisPoints });
        const ids: [string, number][] = [];
        let bookings = 0;
        for (const one of actions) {
          if (one.kind === 'pay') ids.push([await paid(someone, one.kopecks / 100), one.kopecks]);
          else if (one.kind === 'midnight') await endDay();
          else {
            const [id, whole] = ids.at(-1) ?? [];
            if (id === undefined || whole === undefined) continue;
            const text = (Math.max(1, Math.floor((whole * one.part) / 100)) / 100).toFixed(2);
            if ((await refund(someone.partner, id, text)).status !== 201) continue;
          }
          if (one.kind !== 'midnight') bookings += 1;
          if (one.kind === 'midnight') await closeAll();
        }
        await endDay();
        await closeAll();
        const days = (await registersOf(someone.partner)).reverse();
        let balance = 0n;
        let lines = 0;
        for (const one of days) {
          expect(kopecksOf(one.openingBalance)).toBe(balance);
          for (const line of (await partOf(someone.partner, one.date)).items) {
            lines += 1;
            balance += kopecksOf(line.amount) + kopecksOf(line.fee);
            expect(kopecksOf(line.net)).toBe(kopecksOf(line.amount) + kopecksOf(line.fee));
            expect(kopecksOf(line.balance)).toBe(balance);
          }
          const { payments, recurringCharges, refunds, fees } = one;
          const moved = [payments, recurringCharges, refunds, fees].map(kopecksOf).reduce((sum, some) => sum + some, 0n);
          expect(kopecksOf(one.openingBalance) + moved).toBe(kopecksOf(one.closingBalance));
          expect(kopecksOf(one.closingBalance)).toBe(balance);
        }
        expect(lines).toBe(bookings);
        expect(balance).toBe(await readPayable(t.deps.db, someone.partner, await now()));
      }),
      { numRuns: 12 },
    );
  });
});

describe('19: GET /api/registers/RUB', () => {
  it('200: the newest first, page by page, from a day on and before another; own ones alone', async () => {
    const someone = await t.givenPartner();
    const days = [await endDay(), await endDay(), await endDay()];
    await closeAll();
    const first = await get('?limit=2', someone.partner);
    expect(RegisterList.parse(first.body)).toEqual(first.body);
    const second = await get(`?limit=2&pageToken=${String(first.body['nextPageToken'])}`, someone.partner);
    const listed = [first, second].flatMap(({ body }) => RegisterList.parse(body).items.map(({ date }) => date));
    expect(listed).toEqual(days.toReversed());
    const some = await get(`?from=${days[1] ?? ''}&to=${days[2] ?? ''}`, someone.partner);
    expect(RegisterList.parse(some.body).items.map(({ date }) => date)).toEqual([days[1]]);
    expect(await registersOf(randomUUID())).toEqual([]);
    expect((await get(`?limit=2&pageToken=${String(first.body['nextPageToken'])}`, randomUUID())).status).toBe(400);
  });

  it.each([
    ['?from=yesterday'],
    ['?to=2026-02-30'],
    ['?limit=0'],
    ['?pageToken=x'],
    ['?day=1'],
    ['/2026-11-22?format=xml'],
    ['/2026-11-22?part=0'],
    ['/2026-11-22?part=1.5'],
  ])('400 VALIDATION_FAILED: %s', async (path) => {
    expect(await get(path, randomUUID())).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('a day with more than 5,000 lines is read in parts; the first has the opening balance, the last the closing one', async () => {
    const [partner, registerId, day] = [randomUUID(), randomUUID(), '2026-01-02'];
    const lines = PART_LINES + 1;
    await t.rows(
      `insert into registers (register_id, partner_id, day, opening_kopecks, payments_kopecks, charges_kopecks, refunds_kopecks, fees_kopecks,
        closing_kopecks, line_count) values ($1, $2, $3, 0, $4::int, 0, 0, 0, $4::int, $4::int)`,
      [registerId, partner, day, lines],
    );
    await t.rows(
      `insert into register_lines (ledger_transaction_id, register_id, line, booked_at, type, payment_id, merchant_order_id, payment_point_id,
        method, amount_kopecks, fee_kopecks, balance_kopecks)
        select gen_random_uuid(), $1, n, $2, 'PAYMENT', gen_random_uuid(), 'a', 'p', 'CARD', 1, 0, n from generate_series(1, $3::int) n`,
      [registerId, startOfDay(day), lines],
    );
    const [first, second] = [await partOf(partner, day), await partOf(partner, day, 2)];
    expect([first.items.length, first.parts, second.items.map(({ line }) => line)]).toEqual([PART_LINES, 2, [lines]]);
    expect((await get(`/${day}?part=3`, partner)).status).toBe(404);
    const types = async (part: number) =>
      new Set((await get(`/${day}?format=csv&part=${String(part)}`, partner)).text.split('\r\n').map((row) => row.split(',')[2]));
    expect(await types(1)).toEqual(new Set(['type', 'OPENING_BALANCE', 'PAYMENT', undefined]));
    expect(await types(2)).toEqual(new Set(['type', 'PAYMENT', 'CLOSING_BALANCE', undefined]));
  });
});
