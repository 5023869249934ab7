import {
  NO_CARD,
  type AcquirerResult,
  type Cancelled,
  type CardFacts,
  type Taken,
} from '../../domain/acquiring/acquirer-result.ts';
import type { TBankPayment } from './answer.ts';
import { failureOf } from './failure.ts';

/**
 * What a payment's Status means. Source: "Статусная модель платежа" of www.tbank.ru/kassa/dev/payments. `returning`: it was
 * taken, and some of the money is being returned; `returned`: all of it was returned to the buyer.
 */
const STATES: Readonly<
  Record<string, 'unpaid' | 'open' | 'taken' | 'returning' | 'returned' | 'cancelled' | 'expired' | 'rejected'>
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
  REVERSING: 'returning',
  PARTIAL_REVERSED: 'returning',
  REFUNDING: 'returning',
  ASYNC_REFUNDING: 'returning',
  PARTIAL_REFUNDED: 'taken',
  REFUNDED: 'returned',
  REVERSED: 'returned',
  CANCELED: 'cancelled',
  DEADLINE_EXPIRED: 'expired',
  ATTEMPTS_EXPIRED: 'rejected',
  REJECTED: 'rejected',
  AUTH_FAIL: 'rejected',
};

const UNCLEAR = { kind: 'unknown', isAnswered: true } as const;

/** Whether the payment took money and still has it. */
export const isTaken = ({ Status }: TBankPayment): boolean => STATES[Status] === 'taken';

/** Whether the payment may still take money. True for an unknown Status. */
const mayBePaid = ({ Status }: TBankPayment): boolean =>
  STATES[Status] === undefined || STATES[Status] === 'unpaid' || STATES[Status] === 'open';

/** Whether a card may still be sent for the payment. */
export const isUnpaid = ({ Status }: TBankPayment): boolean => STATES[Status] === 'unpaid';

/**
 * The state of an order, from all its payments (`OrderId` is not unique at the bank: an Init repeated after a
 * lost answer creates a second payment). Taken money counts first, then payments that may still take money.
 */
export function stateOfOrder(payments: readonly TBankPayment[], card: CardFacts = NO_CARD): AcquirerResult {
  const of = (state: string) => payments.filter(({ Status }) => STATES[Status] === state);
  const [taken, ...more] = of('taken');
  if (taken !== undefined) return stateOfTaken([taken, ...more], payments.some(mayBePaid), card);
  if (payments.some(({ Status }) => STATES[Status] === undefined)) return UNCLEAR;
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
function stateOfTaken(
  taken: readonly [TBankPayment, ...TBankPayment[]],
  isOpenBesides: boolean,
  card: CardFacts,
): AcquirerResult {
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

function stateOfEnded(
  { PaymentId: bankOperationId, Status, ErrorCode }: TBankPayment,
  card: CardFacts,
): AcquirerResult {
  switch (STATES[Status]) {
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
