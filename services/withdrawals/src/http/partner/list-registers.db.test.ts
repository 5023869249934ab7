import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { UsdtRegisterList, UsdtRegisterPart } from '@pay/contract/api/registers.ts';
import { WithdrawalRegisterReady } from '@pay/contract/messages.ts';
import { closeDays } from '@pay/shared/registers/close-days.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { dayOf, endOfDay } from '@pay/shared/time/day.ts';
import { startTestApp, type Funded, type TestApp } from '../../../test/app.ts';
import { bookFunding } from '../../db/ledger.ts';
import { USDT_DAYS } from '../../use-cases/close-days.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  // No test begins just before midnight.
  await endDay();
});
afterAll(() => t.close());

const now = () => clock(t.deps.db);
/** Moves the clock that far past the end of today, and returns the day that has ended. */
async function endDay(after = '10 minutes 1 second'): Promise<string> {
  const at = await now();
  const day = dayOf(at);
  await t.moveClock(`${String(endOfDay(day).getTime() - at.getTime())} milliseconds`);
  await t.moveClock(after);
  return day;
}
/** Closes all days that are due, however many. */
async function closeAll(): Promise<void> {
  while ((await closeDays(t.deps, USDT_DAYS)) > 0);
}
const get = (path: string, partner: string) => t.call('GET', `/api/registers/USDT${path}`, { partner });
const registersOf = async (partner: string) => UsdtRegisterList.parse((await get('?limit=100', partner)).body).items;
const partOf = async (partner: string, day: string, part = 1) =>
  UsdtRegisterPart.parse((await get(`/${day}?part=${String(part)}`, partner)).body);
const microOf = (text: string): bigint => BigInt(text.replace('.', ''));

/** The operator actions that bring a request to each status. */
const WAYS = {
  REQUESTED: [],
  REJECTED: [['olga', 'reject']],
  CANCELLED: [['olga', 'cancel']],
  APPROVED: [
    ['olga', 'take'],
    ['olga', 'approve'],
  ],
  FAILED: [
    ['olga', 'take'],
    ['olga', 'approve'],
    ['ivan', 'fail'],
  ],
  COMPLETED: [
    ['olga', 'take'],
    ['olga', 'approve'],
    ['ivan', 'complete'],
  ],
} as const;
async function walk(id: string, to: keyof typeof WAYS): Promise<void> {
  for (const [operator, action] of WAYS[to]) {
    const answer = await t.act(operator, id, action);
    if (answer.status !== 200) throw new Error(`${action}: ${answer.text}`);
  }
}
/** Credits a store once more. */
async function fund({ storeId }: Pick<Funded, 'storeId'>, amountUsdt: string, amountRub: string): Promise<string> {
  const body = { amountUsdt, amountRub, rate: '80', reference: randomUUID() };
  const fundingId = String((await t.operate('olga', 'POST', `/stores/${storeId}/fundings`, body)).body['fundingId']);
  const confirmed = await t.operate('ivan', 'POST', `/fundings/${fundingId}/confirm`);
  if (confirmed.status !== 200) throw new Error(`not funded: ${confirmed.text}`);
  return fundingId;
}

describe('19: a register in USDT', () => {
  it('opening and movements are the closing balances, one row a fact; every answer as the document has it', async () => {
    const own = await t.givenPartner('100.000000');
    const storeId = `store-${randomUUID()}`;
    await t.rows('insert into stores values ($1, $2, $3)', [storeId, own.partner, 'Coffee']);
    const fundingId = await fund({ storeId }, '0.500000', '40.00');
    const paid = await t.givenRequest(own, '10.000001');
    const rejected = await t.givenRequest(own, '20');
    const open = await t.givenRequest({ ...own, storeId }, '0.25');
    await walk(paid, 'COMPLETED');
    await walk(rejected, 'REJECTED');
    const day = await endDay();
    await closeAll();
    const answer = await get(`/${day}`, own.partner);
    expect(UsdtRegisterPart.parse(answer.body)).toEqual(answer.body);
    const { body } = await t.call('GET', `/api/withdrawal-requests/${paid}`, { partner: own.partner });
    const { transferReference } = body;
    const { beneficiaryRef } = own;
    expect(answer.body).toMatchObject({
      date: day,
      currency: 'USDT',
      openingAvailable: '0.000000',
      openingReserved: '0.000000',
      funded: '100.500000',
      requested: '30.250001',
      released: '20.000000',
      completed: '10.000001',
      closingAvailable: '90.249999',
      closingReserved: '0.250000',
      lines: 7,
      part: 1,
      parts: 1,
      items: [
        {
          line: 1,
          type: 'FUNDING',
          storeId: own.storeId,
          withdrawalRequestId: null,
          beneficiaryRef: null,
          amount: '100.000000',
          available: '100.000000',
          reserved: '0.000000',
        },
        {
          line: 2,
          type: 'FUNDING',
          storeId,
          fundingId,
          amount: '0.500000',
          availableChange: '0.500000',
          reservedChange: '0.000000',
          available: '100.500000',
        },
        {
          line: 3,
          type: 'WITHDRAWAL_REQUESTED',
          withdrawalRequestId: paid,
          fundingId: null,
          beneficiaryRef,
          transferReference: null,
          amount: '10.000001',
          availableChange: '-10.000001',
          reservedChange: '10.000001',
        },
        { line: 4, type: 'WITHDRAWAL_REQUESTED', withdrawalRequestId: rejected, available: '70.499999', reserved: '30.000001' },
        { line: 5, type: 'WITHDRAWAL_REQUESTED', withdrawalRequestId: open, storeId, amount: '0.250000' },
        {
          line: 6,
          type: 'WITHDRAWAL_COMPLETED',
          withdrawalRequestId: paid,
          transferReference,
          amount: '10.000001',
          availableChange: '0.000000',
          reservedChange: '-10.000001',
        },
        {
          line: 7,
          type: 'WITHDRAWAL_REJECTED',
          withdrawalRequestId: rejected,
          availableChange: '20.000000',
          reservedChange: '-20.000000',
          available: '90.249999',
          reserved: '0.250000',
        },
      ],
    });
    const csv = await get(`/${day}?format=csv`, own.partner);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = csv.text.split('\r\n').map((row) => row.split(','));
    expect(rows).toHaveLength(11);
    expect(rows[0]?.join()).toBe(
      'line,bookedAt,type,storeId,withdrawalRequestId,fundingId,beneficiaryRef,transferReference,amount,availableChange,reservedChange,available,reserved,currency',
    );
    const blank = Array<string>(8).fill('');
    expect(rows[1]).toEqual(['', `${day}T00:00:00.000Z`, 'OPENING_BALANCE', ...blank, '0.000000', '0.000000', 'USDT']);
    expect(rows[7]?.slice(2)).toEqual([
      'WITHDRAWAL_COMPLETED',
      own.storeId,
      paid,
      '',
      beneficiaryRef,
      transferReference,
      '10.000001',
      '0.000000',
      '-10.000001',
      '70.249999',
      '20.250000',
      'USDT',
    ]);
    expect(rows[9]?.slice(2)).toEqual(['CLOSING_BALANCE', ...blank, '90.249999', '0.250000', 'USDT']);
    expect(rows[10]).toEqual(['']);
  });

  it('a request that ends on a later day leaves what was reserved in the balances between; each end has its own type', async () => {
    const own = await t.givenPartner('100.000000');
    const ids = await Promise.all(['1', '2', '3'].map((amount) => t.givenRequest(own, amount)));
    await endDay();
    await t.call('POST', `/api/withdrawal-requests/${String(ids[0])}/cancel`, { partner: own.partner });
    await walk(ids[1] ?? '', 'FAILED');
    const day = await endDay();
    const empty = await endDay();
    await closeAll();
    const second = await partOf(own.partner, day);
    expect(second).toMatchObject({
      openingAvailable: '94.000000',
      openingReserved: '6.000000',
      released: '3.000000',
      closingReserved: '3.000000',
    });
    expect(second.items.map(({ type, transferReference }) => [type, transferReference])).toEqual([
      ['WITHDRAWAL_CANCELLED', null],
      ['WITHDRAWAL_FAILED', null],
    ]);
    const third = await partOf(own.partner, empty);
    expect(third).toMatchObject({
      openingAvailable: '97.000000',
      closingAvailable: '97.000000',
      closingReserved: '3.000000',
      lines: 0,
      parts: 1,
      items: [],
    });
  });

  it('is made ten minutes after the end of its day, from the first funding on; other days and other partners are 404', async () => {
    const own = await t.givenPartner();
    const day = dayOf(await now());
    await endDay('9 minutes 59 seconds');
    await closeAll();
    expect((await get(`/${day}`, own.partner)).body['code']).toBe('NOT_FOUND');
    await t.moveClock('2 seconds');
    await closeAll();
    expect((await get(`/${day}`, own.partner)).status).toBe(200);
    for (const path of ['/2099-01-01', '/2020-01-01', '/2026-02-30', '/today', `/${day}?part=2`]) {
      expect([path, (await get(path, own.partner)).body['code']]).toEqual([path, 'NOT_FOUND']);
    }
    const unfunded = randomUUID();
    await t.rows('insert into stores values ($1, $1, $2)', [unfunded, 'Tea']);
    await endDay();
    await closeAll();
    expect(await registersOf(unfunded)).toEqual([]);
    expect((await get(`/${day}`, unfunded)).body['code']).toBe('NOT_FOUND');
  });

  it('a booking that began before midnight and committed after the closing stands in the next one; the closed day stays', async () => {
    const own = await t.givenPartner('5.000000');
    const fundingId = randomUUID();
    const booked = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    const late = t.deps.db.transaction(async (tx) => {
      await bookFunding(tx, { referenceId: fundingId, storeId: own.storeId, amountMicroUsdt: 7n });
      booked.resolve(undefined);
      await gate.promise;
    });
    await booked.promise;
    const day = await endDay();
    await closeAll();
    const closed = await get(`/${day}`, own.partner);
    expect(closed.body).toMatchObject({ lines: 1, closingAvailable: '5.000000' });
    gate.resolve(undefined);
    await late;
    const next = await endDay();
    await closeAll();
    expect((await get(`/${day}`, own.partner)).text).toBe(closed.text);
    const part = await partOf(own.partner, next);
    expect(part).toMatchObject({ openingAvailable: '5.000000', closingAvailable: '5.000007', items: [{ fundingId, amount: '0.000007' }] });
    expect(part.items[0]?.bookedAt.slice(0, 10)).toBe(day);
  });

  it('is made once, on whichever replica, and told once with it', async () => {
    const own = await t.givenPartner('5.000000');
    await t.givenRequest(own, '2');
    await endDay();
    await Promise.all(Array.from({ length: 6 }, () => closeDays(t.deps, USDT_DAYS)));
    await closeAll();
    const [only, ...more] = await t.rows('select * from registers where partner_id = $1', [own.partner]);
    expect(more).toEqual([]);
    const told = await t.rows('select type, payload from outbox where aggregate_id = $1', [only?.['register_id']]);
    expect(told.map(({ type }) => type)).toEqual(['withdrawal-register.ready']);
    expect(WithdrawalRegisterReady.parse(told[0]?.['payload'])).toMatchObject({
      partnerId: own.partner,
      openingAvailableMicroUsdt: '0',
      openingReservedMicroUsdt: '0',
      closingAvailableMicroUsdt: '3000000',
      closingReservedMicroUsdt: '2000000',
      lines: 2,
    });
  });

  it.each([
    'update registers set closing_available_micro_usdt = 0',
    'delete from registers',
    'truncate registers',
    'update register_lines set amount_micro_usdt = 0',
    'delete from register_lines',
    'truncate register_lines',
  ])('is immutable: the service’s own role may not %s', async (statement) => {
    const client = new pg.Client({ connectionString: t.databaseUrl });
    await client.connect();
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });

  it('property: whatever is funded, asked for and decided on whatever days, days join, lines sum, and the last balances are the stores’', async () => {
    const action = fc.oneof(
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('fund' as const), kopecks: fc.integer({ min: 1, max: 9_999 }) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('request' as const),
          micro: fc.integer({ min: 1, max: 60_000_000 }),
          end: fc.constantFrom('REQUESTED' as const, 'APPROVED', 'REJECTED', 'CANCELLED', 'FAILED', 'COMPLETED'),
          store: fc.nat({ max: 1 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('midnight' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
        const own = await t.givenPartner('100.000000');
        const second = `store-${randomUUID()}`;
        await t.rows('insert into stores values ($1, $2, $3)', [second, own.partner, 'Coffee']);
        // 80 rubles are one USDT: a kopeck is 125 millionths.
        const credit = async (storeId: string, kopecks: bigint) => fund({ storeId }, textOf(kopecks * 125n, 6), textOf(kopecks, 2));
        await credit(second, 4_000n);
        const given = new Map<string, keyof typeof WAYS>();
        let bookings = 2;
        for (const one of actions) {
          if (one.kind === 'fund') {
            await credit(second, BigInt(one.kopecks));
            bookings += 1;
          } else if (one.kind === 'midnight') {
            await endDay();
            await closeAll();
          } else {
            const storeId = one.store === 0 ? own.storeId : second;
            const asked = await t.request({ ...own, storeId }, textOf(BigInt(one.micro), 6));
            if (asked.status !== 201) continue;
            const id = String(asked.body['withdrawalRequestId']);
            await walk(id, one.end);
            given.set(id, one.end);
            bookings += one.end === 'REQUESTED' || one.end === 'APPROVED' ? 1 : 2;
          }
        }
        await endDay();
        await closeAll();
        const days = (await registersOf(own.partner)).reverse();
        let [available, reserved, lines] = [0n, 0n, 0];
        for (const day of days) {
          expect([microOf(day.openingAvailable), microOf(day.openingReserved)]).toEqual([available, reserved]);
          for (const line of (await partOf(own.partner, day.date)).items) {
            lines += 1;
            available += microOf(line.availableChange);
            reserved += microOf(line.reservedChange);
            expect([microOf(line.available), microOf(line.reserved)]).toEqual([available, reserved]);
            const end = given.get(line.withdrawalRequestId ?? '');
            expect(['FUNDING', 'WITHDRAWAL_REQUESTED', `WITHDRAWAL_${String(end)}`]).toContain(line.type);
          }
          const [funded, requested] = [microOf(day.funded), microOf(day.requested)];
          const [released, completed] = [microOf(day.released), microOf(day.completed)];
          expect(microOf(day.openingAvailable) + funded - requested + released).toBe(available);
          expect(microOf(day.openingReserved) + requested - released - completed).toBe(reserved);
          expect([microOf(day.closingAvailable), microOf(day.closingReserved)]).toEqual([available, reserved]);
        }
        expect(lines).toBe(bookings);
        const stores = [await t.balance(own.storeId), await t.balance(second)];
        expect(available).toBe(stores.reduce((sum, store) => sum + store.available, 0n));
        expect(reserved).toBe(stores.reduce((sum, store) => sum + store.reserved, 0n));
      }),
      { numRuns: 12 },
    );
  });
});

/** Renders minor units as a decimal string. */
function textOf(amount: bigint, digits: number): string {
  const text = amount.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

describe('19: GET /api/registers/USDT', () => {
  it('200: the newest first, page by page, from a day on and before another; own ones alone', async () => {
    const own = await t.givenPartner();
    const days = [await endDay(), await endDay(), await endDay()];
    await closeAll();
    const first = await get('?limit=2', own.partner);
    expect(UsdtRegisterList.parse(first.body)).toEqual(first.body);
    const second = await get(`?limit=2&pageToken=${String(first.body['nextPageToken'])}`, own.partner);
    const listed = [first, second].flatMap(({ body }) => UsdtRegisterList.parse(body).items.map(({ date }) => date));
    expect(listed).toEqual(days.toReversed());
    const some = await get(`?from=${days[1] ?? ''}&to=${days[2] ?? ''}`, own.partner);
    expect(UsdtRegisterList.parse(some.body).items.map(({ date }) => date)).toEqual([days[1]]);
    expect(await registersOf(randomUUID())).toEqual([]);
    expect((await get(`?limit=2&pageToken=${String(first.body['nextPageToken'])}`, randomUUID())).status).toBe(400);
  });

  it.each([['?from=yesterday'], ['?limit=0'], ['?pageToken=x'], ['?day=1'], ['/2026-11-22?format=xml'], ['/2026-11-22?part=0']])(
    '400 VALIDATION_FAILED: %s',
    async (path) => {
      expect(await get(path, randomUUID())).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    },
  );
});
