import { NO_CARD, type AcquirerResult, type Cancelled, type CardFacts, type Taken } from '../../domain/acquiring/acquirer-result.ts';
import type { TBankPayment } from './answer.ts';
import { failureOf } from './failure.ts';

/** What a payment's Status means. */
type Meaning = {
  /**
   * For its order. `returning`: it was taken, and some of the money is being returned; `returned`: all of it was returned to the
   * buyer.
   */
  readonly order: 'unpaid' | 'open' | 'taken' | 'returning' | 'returned' | 'cancelled' | 'expired' | 'rejected';
  /**
   * For its refunds. `no-money`: it has taken none. `untouched`: all of it is there. `running`: the bank is returning some or all of it.
   * `part`, `all`: so much has been returned.
   */
  readonly refunds: 'no-money' | 'untouched' | 'running' | 'part' | 'all';
};

/**
 * Every status of the bank's table, and no other: a Status that is not here is unknown, and whatever is asked about its payment too.
 * Source: "Статусная модель платежа" of www.tbank.ru/kassa/dev/payments (OpenAPI copy of 2025-09 in
 * github.com/kravetsone/t-kassa-api), which knows PREAUTHORIZING, PAY_CHECKING and CONFIRM_CHECKING from its earlier versions.
 */
export const STATUSES = {
  NEW: { order: 'unpaid', refunds: 'no-money' },
  FORM_SHOWED: { order: 'unpaid', refunds: 'no-money' },
  PREAUTHORIZING: { order: 'open', refunds: 'no-money' },
  AUTHORIZING: { order: 'open', refunds: 'no-money' },
  '3DS_CHECKING': { order: 'open', refunds: 'no-money' },
  '3DS_CHECKED': { order: 'open', refunds: 'no-money' },
  // With one-stage payments (PayType O) a step on the way to CONFIRMED.
  AUTHORIZED: { order: 'open', refunds: 'no-money' },
  PAY_CHECKING: { order: 'open', refunds: 'no-money' },
  CONFIRMING: { order: 'open', refunds: 'no-money' },
  CONFIRM_CHECKING: { order: 'open', refunds: 'no-money' },
  CONFIRMED: { order: 'taken', refunds: 'untouched' },
  REVERSING: { order: 'returning', refunds: 'running' },
  PARTIAL_REVERSED: { order: 'returning', refunds: 'part' },
  REVERSED: { order: 'returned', refunds: 'all' },
  REFUNDING: { order: 'returning', refunds: 'running' },
  // The course of every refund by SBP.
  ASYNC_REFUNDING: { order: 'returning', refunds: 'running' },
  PARTIAL_REFUNDED: { order: 'taken', refunds: 'part' },
  REFUNDED: { order: 'returned', refunds: 'all' },
  CANCELED: { order: 'cancelled', refunds: 'no-money' },
  DEADLINE_EXPIRED: { order: 'expired', refunds: 'no-money' },
  ATTEMPTS_EXPIRED: { order: 'rejected', refunds: 'no-money' },
  REJECTED: { order: 'rejected', refunds: 'no-money' },
  AUTH_FAIL: { order: 'rejected', refunds: 'no-money' },
} as const satisfies Record<string, Meaning>;
export type Status = keyof typeof STATUSES;

/** Undefined for a Status that is not in the bank's table. */
function meaningOf({ Status }: Pick<TBankPayment, 'Status'>): Meaning | undefined {
  return isStatus(Status) ? STATUSES[Status] : undefined;
}
const isStatus = (name: string): name is Status => Object.hasOwn(STATUSES, name);

/** What a payment's Status means for its refunds; `unknown` if it is not in the bank's table. */
export const refundsOf = (payment: Pick<TBankPayment, 'Status'>): Meaning['refunds'] | 'unknown' =>
  meaningOf(payment)?.refunds ?? 'unknown';

/** The bank answered, and nobody knows what it means. */
export const UNCLEAR = { kind: 'unknown', isAnswered: true } as const;

/** Whether the payment took money and still has it. */
export const isTaken = (payment: TBankPayment): boolean => meaningOf(payment)?.order === 'taken';

/** Whether the payment may still take money. True for an unknown Status. */
function mayBePaid(payment: TBankPayment): boolean {
  const order = meaningOf(payment)?.order;
  return order === undefined || order === 'unpaid' || order === 'open';
}

/** Whether a card may still be sent for the payment. */
export const isUnpaid = (payment: TBankPayment): boolean => meaningOf(payment)?.order === 'unpaid';

/**
 * The state of an order, from all its payments (`OrderId` is not unique at the bank: an Init repeated after a
 * lost answer creates a second payment). Taken money counts first, then payments that may still take money.
 */
export function stateOfOrder(payments: readonly TBankPayment[], card: CardFacts = NO_CARD): AcquirerResult {
  const of = (order: Meaning['order']) => payments.filter((payment) => meaningOf(payment)?.order === order);
  const [taken, ...more] = of('taken');
  if (taken !== undefined) return stateOfTaken([taken, ...more], payments.some(mayBePaid), card);
  if (payments.some((payment) => meaningOf(payment) === undefined)) return UNCLEAR;
  const [open] = [...of('open'), ...of('returning')];
  if (open !== undefined) return { kind: 'pending', bankOperationId: open.PaymentId, acsUrl: null, card };
  const [unpaid] = of('unpaid');
  if (unpaid !== undefined) return { kind: 'registered', bankOperationId: unpaid.PaymentId, nspkUrl: null };
  const [returned, ...others] = of('returned');
  if (returned !== undefined) return stateOfReturned(returned, others);
  const last = payments.at(-1);
  return last === undefined ? { kind: 'absent' } : stateOfEnded(last, card);
}

function stateOfReturned({ PaymentId: bankOperationId }: TBankPayment, others: readonly TBankPayment[]): Cancelled {
  const alsoReturned = others.map(({ PaymentId }) => PaymentId);
  return { kind: 'cancelled', bankOperationId, ...(alsoReturned.length === 0 ? {} : { alsoReturned }) };
}

/** Lists each of the bank's payments: which of them pays for the order and which is surplus is our decision. */
function stateOfTaken(taken: readonly [TBankPayment, ...TBankPayment[]], isOpenBesides: boolean, card: CardFacts): AcquirerResult {
  const all: Taken[] = [];
  for (const { PaymentId, Amount } of taken) {
    // Without the bank's amount there is nothing to compare with ours.
    if (Amount === undefined) return UNCLEAR;
    // The bank takes rubles only.
    all.push({ bankOperationId: PaymentId, amountKopecks: Amount, currency: 'RUB' });
  }
  const [first, ...alsoTaken] = all;
  if (first === undefined) return UNCLEAR;
  return {
    kind: 'confirmed',
    ...first,
    card,
    ...(alsoTaken.length === 0 ? {} : { alsoTaken }),
    ...(isOpenBesides ? { isOpenBesides } : {}),
  };
}

function stateOfEnded(payment: TBankPayment, card: CardFacts): AcquirerResult {
  const { PaymentId: bankOperationId, Status, ErrorCode } = payment;
  switch (meaningOf(payment)?.order) {
    case 'cancelled':
      return { kind: 'cancelled', bankOperationId };
    case 'expired':
      return { kind: 'declined', bankOperationId, failureCode: 'SESSION_EXPIRED', card };
    default: {
      const failureCode = Status === 'AUTH_FAIL' && ErrorCode === '0' ? 'AUTHENTICATION_FAILED' : failureOf(ErrorCode);
      return { kind: 'declined', bankOperationId, failureCode, card };
    }
  }
}
