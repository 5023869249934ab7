import { NO_CARD, type CardFacts, type ChannelResult } from '../../domain/channel-result.ts';
import type { TBankPayment } from './answer.ts';
import { failureOf } from './failure.ts';

/**
 * What a payment's Status says. Source: "Статусная модель платежа" of www.tbank.ru/kassa/dev/payments. `returned`: it was
 * taken and the whole of it is back with the buyer.
 */
const STATES: Readonly<
  Record<string, 'unpaid' | 'open' | 'taken' | 'returned' | 'cancelled' | 'expired' | 'rejected'>
> = {
  NEW: 'unpaid',
  FORM_SHOWED: 'unpaid',
  PREAUTHORIZING: 'open',
  AUTHORIZING: 'open',
  '3DS_CHECKING': 'open',
  '3DS_CHECKED': 'open',
  // With one-stage payments (PayType O) a step on the way to CONFIRMED.
  AUTHORIZED: 'open',
  PAY_CHECKING: 'open',
  CONFIRMING: 'open',
  CONFIRM_CHECKING: 'open',
  CONFIRMED: 'taken',
  REVERSING: 'open',
  PARTIAL_REVERSED: 'open',
  REFUNDING: 'open',
  ASYNC_REFUNDING: 'open',
  PARTIAL_REFUNDED: 'taken',
  REFUNDED: 'returned',
  REVERSED: 'returned',
  CANCELED: 'cancelled',
  DEADLINE_EXPIRED: 'expired',
  ATTEMPTS_EXPIRED: 'rejected',
  REJECTED: 'rejected',
  AUTH_FAIL: 'rejected',
};

/** Whether a card may still be sent for it. */
export const isUnpaid = ({ Status }: TBankPayment): boolean => STATES[Status] === 'unpaid';

/**
 * What became of an order, from all its payments (`OrderId` is not unique at the bank: an Init that was repeated after a
 * lost answer leaves a second one, which nobody pays). Money counts first, then what may still become money.
 */
export function stateOfOrder(payments: readonly TBankPayment[], card: CardFacts = NO_CARD): ChannelResult {
  const of = (state: string) => payments.filter(({ Status }) => STATES[Status] === state);
  const [taken, ...more] = of('taken');
  if (taken !== undefined) return stateOfTaken([taken, ...more], card);
  if (payments.some(({ Status }) => STATES[Status] === undefined)) return { kind: 'unknown' };
  const [open] = of('open');
  if (open !== undefined) return { kind: 'pending', bankOperationId: open.PaymentId, acsUrl: null, card };
  const [unpaid] = of('unpaid');
  if (unpaid !== undefined) return { kind: 'registered', bankOperationId: unpaid.PaymentId, nspkUrl: null };
  const last = payments.at(-1);
  return last === undefined ? { kind: 'absent' } : stateOfEnded(last, card);
}

/** Twice paid is more than ours: the sum shows it, and a person will look. The bank takes rubles only. */
function stateOfTaken(taken: readonly [TBankPayment, ...TBankPayment[]], card: CardFacts): ChannelResult {
  const amounts = taken.map(({ Amount }) => Amount);
  // An amount that the bank does not say can't be compared with ours.
  if (amounts.includes(undefined)) return { kind: 'unknown' };
  const amountKopecks = amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
  return { kind: 'confirmed', bankOperationId: taken[0].PaymentId, amountKopecks, currency: 'RUB', card };
}

function stateOfEnded({ PaymentId: bankOperationId, Status, ErrorCode }: TBankPayment, card: CardFacts): ChannelResult {
  switch (STATES[Status]) {
    case 'returned':
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
