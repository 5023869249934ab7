import { NO_CARD, type RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { AcquirerRefund } from '../acquirer.ts';
import type { TBankAnswer, TBankPayment } from './answer.ts';
import { isDecline, refundFailureOf } from './failure.ts';
import { receiptFields } from './receipt.ts';
import { refundsOf, UNCLEAR } from './state.ts';
import type { TerminalCalls } from './terminal.ts';

type Paid = { readonly kind: 'paid'; readonly payment: TBankPayment };

/** The payment to refund: if an order was paid twice, the one that is meant. `absent`: the bank has none that took money. */
function findPaid(payments: readonly TBankPayment[], { bankOperationId }: Pick<AcquirerRefund, 'bankOperationId'>): Paid | RefundResult {
  const meant = payments.filter(({ PaymentId }) => bankOperationId === null || PaymentId === bankOperationId);
  const payment = meant.find((one) => refundsOf(one) !== 'no-money' && refundsOf(one) !== 'unknown');
  if (payment !== undefined) return { kind: 'paid', payment };
  return meant.some((one) => refundsOf(one) === 'unknown') ? UNCLEAR : { kind: 'absent' };
}

/** Refunds a payment: Cancel with an amount. */
export async function refundPayment(terminal: TerminalCalls, refund: AcquirerRefund): Promise<RefundResult> {
  const { operationId, originalOperationId, amountKopecks, receipt } = refund;
  const found = await terminal.find(originalOperationId);
  if (found.kind !== 'found') return { kind: 'not-sent' };
  const paid = findPaid(found.payments, refund);
  if (paid.kind !== 'paid') return paid;
  const { PaymentId } = paid.payment;
  // A repeat with the same ExternalRequestId refunds nothing a second time. This does not hold for SBP: see `readRefund`.
  const answer = await terminal.call('Cancel', {
    PaymentId,
    Amount: amountKopecks,
    ExternalRequestId: operationId,
    ...receiptFields(receipt),
  });
  return answer.kind === 'answer' ? refunded(PaymentId, answer, refund) : answer;
}

/**
 * The bank cannot read a single refund. For cards, sending it again with its ExternalRequestId serves as the read, once nothing is
 * under way. For SBP that would refund twice ("Параметр не работает для операций по СБП"), so it is never sent again: what the bank has
 * returned in all, and what we know of the other refunds, tell whether this one was carried out. Whatever they leave open is
 * `unknown`, for a person.
 */
export async function readRefund(terminal: TerminalCalls, refund: AcquirerRefund): Promise<RefundResult> {
  const found = await terminal.find(refund.originalOperationId);
  if (found.kind !== 'found') return found;
  const paid = findPaid(found.payments, refund);
  // A list that is behind may lack the payment: that is no reason to send a refund again that the bank would carry out twice.
  if (paid.kind !== 'paid') return refund.paidBy === 'CARD' ? paid : UNCLEAR;
  const { payment } = paid;
  const state = refundsOf(payment);
  if (state === 'running') return pending(payment.PaymentId);
  if (refund.paidBy === 'CARD') return { kind: 'absent' };
  const { amountKopecks, money } = refund;
  const isAllOurs = money.returned + money.underWay + amountKopecks === money.paid;
  if (state === 'all' && isAllOurs) return given(payment.PaymentId, amountKopecks);
  return state === 'part' && money.underWay === 0n ? readPart(terminal, payment, refund) : UNCLEAR;
}

/** By SBP, some of the money was returned, and no other refund of ours is under way. */
async function readPart(
  terminal: TerminalCalls,
  { PaymentId }: TBankPayment,
  { amountKopecks, money: { returned, isAccepted } }: AcquirerRefund,
): Promise<RefundResult> {
  const answer = await terminal.call('GetQrState', { PaymentId });
  if (answer.kind !== 'answer') return answer;
  const { Success, Status = '', Amount, QrCancelCode } = answer;
  if (!Success || refundsOf({ Status }) !== 'part' || Amount === undefined || (QrCancelCode ?? '') !== '') return UNCLEAR;
  // Nothing else was refunded: what was is this one, or somebody refunded another amount without us.
  if (returned === 0n) return given(PaymentId, Amount);
  // "Сумма отмены": of the last refund, or of all of them.
  const isThis = Amount === amountKopecks || Amount === returned + amountKopecks;
  return isAccepted && isThis ? given(PaymentId, amountKopecks) : UNCLEAR;
}

const pending = (bankOperationId: string) => ({ kind: 'pending', bankOperationId, acsUrl: null, card: NO_CARD }) as const;

const given = (bankOperationId: string, amountKopecks: bigint) =>
  ({ kind: 'confirmed', bankOperationId, amountKopecks, currency: 'RUB', card: NO_CARD }) as const;

/** The result of Cancel for a refund: the bank's amounts before and after show how much was refunded. */
function refunded(bankOperationId: string, answer: TBankAnswer, { isRepeat }: AcquirerRefund): RefundResult {
  if (!answer.Success) {
    // "Nothing left" or "wrong status" can be the work of the first try, whose answer was lost.
    if (isRepeat && !isDecline(answer.ErrorCode)) return UNCLEAR;
    return { kind: 'declined', bankOperationId, failureCode: refundFailureOf(answer.ErrorCode), card: NO_CARD };
  }
  const { Status = '', OriginalAmount, NewAmount } = answer;
  const state = refundsOf({ Status });
  if (state === 'running') return { ...pending(bankOperationId), isAccepted: true };
  const isOver = state === 'part' || state === 'all';
  if (!isOver || OriginalAmount === undefined || NewAmount === undefined) return UNCLEAR;
  return given(bankOperationId, OriginalAmount - NewAmount);
}
