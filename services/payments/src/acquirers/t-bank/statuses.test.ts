import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@pay/shared/logging/logger.ts';
import { startTestTBank, type TBankPayment, type TestTBank } from '../../../test/t-bank.ts';
import { unfenced, type Unfenced } from '../../../test/unfenced.ts';
import type { AcquirerRefund } from '../acquirer.ts';
import { STATUSES, type Status } from './state.ts';
import { createTBankAcquirer, type TBankAcquirer } from './t-bank-acquirer.ts';

let bank: TestTBank;
let connector: TBankAcquirer;
let acquirer: Unfenced;
beforeAll(async () => {
  bank = await startTestTBank();
  const { url, terminalKey, password, cardKey } = bank;
  const account = { url, terminalKey, password, cardKey, notificationUrl: undefined };
  connector = createTBankAcquirer({ ...account, routeId: randomUUID(), log: createLog('test', 'silent') });
  acquirer = unfenced(connector);
});
afterAll(async () => {
  await connector.close();
  await bank.close();
});

/** What the connector makes of a payment's status, in each operation. */
type Row = {
  /** `read`, `confirmThreeDs` of a payment that waits for no page, and `charge` and `register` of an order that the bank has. */
  readonly read: string;
  readonly cancel: string;
  /** A refund of a part, the first time; its answer says this status. */
  readonly refund: string;
  readonly answered: string;
  /** The same again by card, after a try whose end is unknown. */
  readonly readByCard: string;
  /** By SBP: of the whole amount, of a part, and of a part whose payment has another refund, which nobody accepted. */
  readonly readBySbp: string;
  readonly partBySbp: string;
  readonly secondBySbp: string;
};

const unpaid = {
  refund: 'absent',
  answered: 'unknown',
  readByCard: 'absent',
  readBySbp: 'unknown',
  partBySbp: 'unknown',
  secondBySbp: 'unknown',
};
const undecided = { read: 'pending', cancel: 'pending', ...unpaid };
const failed = { read: 'declined', cancel: 'declined', ...unpaid };
const running = {
  read: 'pending',
  cancel: 'pending',
  refund: 'declined',
  answered: 'pending',
  readByCard: 'pending',
  readBySbp: 'pending',
  partBySbp: 'pending',
  secondBySbp: 'pending',
};
/** Every status: the compiler refuses a table that lacks one. */
const EXPECTED: Readonly<Record<Status, Row>> = {
  NEW: { read: 'registered', cancel: 'cancelled', ...unpaid },
  FORM_SHOWED: { read: 'registered', cancel: 'registered', ...unpaid },
  PREAUTHORIZING: undecided,
  AUTHORIZING: undecided,
  '3DS_CHECKING': undecided,
  '3DS_CHECKED': undecided,
  AUTHORIZED: undecided,
  PAY_CHECKING: undecided,
  CONFIRMING: undecided,
  CONFIRM_CHECKING: undecided,
  CONFIRMED: {
    read: 'confirmed',
    cancel: 'confirmed',
    refund: 'confirmed',
    answered: 'unknown',
    readByCard: 'absent',
    readBySbp: 'unknown',
    partBySbp: 'unknown',
    secondBySbp: 'unknown',
  },
  REVERSING: running,
  REFUNDING: running,
  ASYNC_REFUNDING: running,
  PARTIAL_REVERSED: {
    read: 'pending',
    cancel: 'pending',
    refund: 'declined',
    answered: 'confirmed',
    readByCard: 'absent',
    readBySbp: 'confirmed',
    partBySbp: 'confirmed',
    secondBySbp: 'unknown',
  },
  PARTIAL_REFUNDED: {
    read: 'confirmed',
    cancel: 'confirmed',
    refund: 'confirmed',
    answered: 'confirmed',
    readByCard: 'absent',
    readBySbp: 'confirmed',
    partBySbp: 'confirmed',
    secondBySbp: 'unknown',
  },
  REVERSED: {
    read: 'cancelled',
    cancel: 'cancelled',
    refund: 'declined',
    answered: 'confirmed',
    readByCard: 'absent',
    readBySbp: 'confirmed',
    partBySbp: 'unknown',
    secondBySbp: 'unknown',
  },
  REFUNDED: {
    read: 'cancelled',
    cancel: 'cancelled',
    refund: 'declined',
    answered: 'confirmed',
    readByCard: 'absent',
    readBySbp: 'confirmed',
    partBySbp: 'unknown',
    secondBySbp: 'unknown',
  },
  CANCELED: { read: 'cancelled', cancel: 'cancelled', ...unpaid },
  DEADLINE_EXPIRED: failed,
  ATTEMPTS_EXPIRED: failed,
  REJECTED: failed,
  AUTH_FAIL: failed,
};

const WHOLE = 10_000n;
const PART = 3_000n;
const money = { paid: WHOLE, returned: 0n, underWay: 0n, isAccepted: false };

/** An order whose only payment has this status. */
async function givenPayment(status: string): Promise<TBankPayment> {
  const operationId = randomUUID();
  const expiresAt = new Date('2099-01-01T00:00:00Z');
  await acquirer.register({ operationId, amountKopecks: WHOLE, description: 'Tea', expiresAt, returnUrl: 'https://form.example/' });
  const [payment] = bank.of(operationId);
  if (payment === undefined) throw new Error('no payment');
  return Object.assign(payment, { Status: status, SbpPaymentId: undefined });
}
async function kindOf(status: string, ask: (operationId: string) => Promise<{ readonly kind: string }>) {
  return (await ask((await givenPayment(status)).OrderId)).kind;
}
const refundOf = (originalOperationId: string, change: Partial<AcquirerRefund> = {}) => ({
  operationId: randomUUID(),
  originalOperationId,
  amountKopecks: PART,
  money,
  ...change,
});
/** The bank has refunded so much by SBP last. */
async function readBySbp(status: string, amountKopecks: bigint, returned = 0n): Promise<string> {
  const payment = await givenPayment(status);
  payment.sbpRefund = { Amount: Number(amountKopecks), after: status };
  const refund = { amountKopecks, paidBy: 'SBP', isRepeat: true, money: { ...money, returned } } as const;
  return (await acquirer.readRefund(refundOf(payment.OrderId, refund))).kind;
}
async function answered(status: string): Promise<string> {
  const { OrderId } = await givenPayment('CONFIRMED');
  bank.interrupt('Cancel', 'after', ({ res, result }) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...result, Status: status }));
  });
  const { kind } = await acquirer.refund(refundOf(OrderId));
  bank.interrupt('Cancel', 'after', undefined);
  return kind;
}
const charged = (operationId: string) => acquirer.charge({ operationId, amountKopecks: WHOLE, description: 'Tea', cardToken: '1' });

async function rowOf(status: string): Promise<Row> {
  return {
    read: await kindOf(status, (id) => acquirer.read(id)),
    cancel: await kindOf(status, (id) => acquirer.cancel(id)),
    refund: await kindOf(status, (id) => acquirer.refund(refundOf(id))),
    answered: await answered(status),
    readByCard: await kindOf(status, (id) => acquirer.readRefund(refundOf(id))),
    readBySbp: await readBySbp(status, WHOLE),
    partBySbp: await readBySbp(status, PART),
    secondBySbp: await readBySbp(status, PART, 1_000n),
  };
}

const NAMES = Object.keys(STATUSES) as Status[];

it.each(NAMES)('%s: what it means in each operation (V3)', async (status) => {
  expect(await rowOf(status)).toEqual(EXPECTED[status]);
});

it('a status that is not in the bank’s table is unknown in each operation (V3)', async () => {
  const row = await rowOf('HELD_BY_SOMETHING_NEW');
  expect(row).toEqual(Object.fromEntries(Object.keys(row).map((name) => [name, 'unknown'])));
});

it.each(NAMES.filter((status) => !['NEW', 'FORM_SHOWED'].includes(status)))(
  '%s: an order that the bank has already is neither charged nor registered again (V3)',
  async (status) => {
    const calls = () => bank.calls.filter(({ method }) => method === 'Charge' || method === 'Init').length;
    const { OrderId } = await givenPayment(status);
    const before = calls();
    expect((await charged(OrderId)).kind).toBe(EXPECTED[status].read);
    expect(calls()).toBe(before);
  },
);

describe('a refund by SBP', () => {
  const bySbp = (originalOperationId: string, change: Partial<AcquirerRefund> = {}) =>
    refundOf(originalOperationId, { paidBy: 'SBP', ...change });
  const accepted = (returned: bigint) => ({ isRepeat: true, money: { ...money, returned, isAccepted: true } });
  async function givenPaid(): Promise<string> {
    const { OrderId } = await givenPayment('CONFIRMED');
    for (const payment of bank.of(OrderId)) payment.SbpPaymentId = randomUUID();
    return OrderId;
  }
  beforeAll(() => {
    bank.takesTimeForSbp = true;
  });
  afterAll(() => {
    bank.takesTimeForSbp = false;
  });

  it('is pending while the bank works on it, then confirmed, a part too, one after the other (V3)', async () => {
    const id = await givenPaid();
    const first = bySbp(id);
    expect(await acquirer.refund(first)).toMatchObject({ kind: 'pending', isAccepted: true });
    expect((await acquirer.readRefund({ ...first, ...accepted(0n) })).kind).toBe('pending');
    bank.endSbpRefund(id);
    expect(await acquirer.readRefund({ ...first, ...accepted(0n) })).toMatchObject({ kind: 'confirmed', amountKopecks: PART });
    const second = bySbp(id, { amountKopecks: 1_000n });
    expect((await acquirer.refund(second)).kind).toBe('pending');
    bank.endSbpRefund(id);
    expect(await acquirer.readRefund({ ...second, ...accepted(PART) })).toMatchObject({ kind: 'confirmed', amountKopecks: 1_000n });
    const rest = bySbp(id, { amountKopecks: 6_000n });
    expect((await acquirer.refund(rest)).kind).toBe('pending');
    bank.endSbpRefund(id);
    expect(await acquirer.readRefund({ ...rest, ...accepted(4_000n) })).toMatchObject({ kind: 'confirmed', amountKopecks: 6_000n });
  });

  it('that the buyer’s bank did not take is unknown: a person looks (V3)', async () => {
    const id = await givenPaid();
    const refund = bySbp(id);
    await acquirer.refund(refund);
    bank.endSbpRefund(id, 'I05043');
    expect(await acquirer.readRefund({ ...refund, ...accepted(0n) })).toEqual({ kind: 'unknown', isAnswered: true });
  });

  it('of another amount than ours, made by somebody else, is told with its amount (V3)', async () => {
    const id = await givenPaid();
    await acquirer.refund(bySbp(id, { amountKopecks: 999n }));
    bank.endSbpRefund(id);
    expect(await acquirer.readRefund(bySbp(id, { isRepeat: true }))).toMatchObject({ kind: 'confirmed', amountKopecks: 999n });
  });

  it('while another one of ours is under way tells nothing of this one (V3)', async () => {
    const id = await givenPaid();
    await acquirer.refund(bySbp(id));
    bank.endSbpRefund(id);
    const other = bySbp(id, { isRepeat: true, money: { ...money, underWay: 1_000n } });
    expect(await acquirer.readRefund(other)).toEqual({ kind: 'unknown', isAnswered: true });
  });

  it.each(['SBP', 'UNKNOWN'] as const)(
    'is never sent again, whether or not the bank names SBP in its answer: our own record of the method, %s, decides',
    async (paidBy) => {
      const id = await givenPaid();
      // The field is optional: the bank leaves it out.
      for (const payment of bank.of(id)) delete payment.SbpPaymentId;
      const refund = bySbp(id, { paidBy });
      await acquirer.refund(refund);
      expect((await acquirer.readRefund({ ...refund, isRepeat: true })).kind).not.toBe('absent');
      // Nor while its list is behind, and does not have the payment yet.
      for (const payment of bank.of(id)) payment.Status = 'NEW';
      expect((await acquirer.readRefund({ ...refund, isRepeat: true })).kind).toBe('unknown');
      for (const payment of bank.of(id)) payment.OrderId = randomUUID();
      expect((await acquirer.readRefund({ ...refund, isRepeat: true })).kind).toBe('unknown');
    },
  );
});

it.each([
  ['4', 'unknown'],
  ['8', 'unknown'],
  ['330', 'unknown'],
  ['3002', 'declined'],
  ['3028', 'declined'],
])('a repeated refund that the bank refuses with %s is %s: "nothing left" may be the work of the first try (V2)', async (code, kind) => {
  const { OrderId } = await givenPayment('CONFIRMED');
  bank.interrupt('Cancel', 'after', ({ res }) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ Success: false, ErrorCode: code }));
  });
  const refund = refundOf(OrderId);
  expect((await acquirer.refund({ ...refund, isRepeat: true })).kind).toBe(kind);
  expect((await acquirer.refund(refund)).kind).toBe('declined');
  bank.interrupt('Cancel', 'after', undefined);
});
