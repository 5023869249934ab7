import { NO_CARD, type RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { AcquirerRefund } from '../acquirer.ts';
import type { TBankAnswer, TBankPayment } from './answer.ts';
import { refundFailureOf } from './failure.ts';
import { receiptFields } from './receipt.ts';
import type { TerminalCalls } from './terminal.ts';

const UNKNOWN = { kind: 'unknown' } as const;
/** Statuses of payments that can be or were refunded. */
const REFUNDABLE = new Set(['CONFIRMED', 'PARTIAL_REFUNDED', 'REFUNDED', 'REFUNDING']);
const GIVEN_BACK = new Set(['REFUNDED', 'PARTIAL_REFUNDED', 'REVERSED', 'PARTIAL_REVERSED']);

/** The payment to refund: if an order was paid twice, the one that is meant. */
function findPaid(
  payments: readonly TBankPayment[],
  { bankOperationId }: Pick<AcquirerRefund, 'bankOperationId'>,
): TBankPayment | undefined {
  const refundable = payments.filter(({ Status }) => REFUNDABLE.has(Status));
  return refundable.find(({ PaymentId }) => bankOperationId === null || PaymentId === bankOperationId);
}

/** Refunds a payment: Cancel with an amount. */
export async function refundPayment(terminal: TerminalCalls, refund: AcquirerRefund): Promise<RefundResult> {
  const { operationId, originalOperationId, amountKopecks, receipt } = refund;
  const found = await terminal.find(originalOperationId);
  if (found.kind !== 'found') return { kind: 'not-sent' };
  const paid = findPaid(found.payments, refund);
  if (paid === undefined) return { kind: 'absent' };
  // A repeat with the same ExternalRequestId refunds nothing a second time. This does not hold for SBP: see `readRefund`.
  const answer = await terminal.call('Cancel', {
    PaymentId: paid.PaymentId,
    Amount: amountKopecks,
    ExternalRequestId: operationId,
    ...receiptFields(receipt),
  });
  return answer.kind === 'answer' ? refunded(paid.PaymentId, answer) : answer;
}

/**
 * The bank cannot read a single refund. For cards, sending it again with its ExternalRequestId serves as the read. For SBP
 * that would refund twice ("Параметр не работает для операций по СБП"): only a fully refunded payment is
 * conclusive, and everything else is left to an operator.
 */
export async function readRefund(terminal: TerminalCalls, refund: AcquirerRefund): Promise<RefundResult> {
  const { originalOperationId, amountKopecks } = refund;
  const found = await terminal.find(originalOperationId);
  if (found.kind !== 'found') return found;
  const paid = findPaid(found.payments, refund);
  if (paid === undefined || (paid.SbpPaymentId ?? '') === '') return { kind: 'absent' };
  const { PaymentId: bankOperationId, Amount } = paid;
  if (paid.Status !== 'REFUNDED' || Amount !== amountKopecks) return UNKNOWN;
  return { kind: 'confirmed', bankOperationId, amountKopecks, currency: 'RUB', card: NO_CARD };
}

/** The result of Cancel for a refund: the bank's amounts before and after show how much was refunded. */
function refunded(bankOperationId: string, answer: TBankAnswer): RefundResult {
  if (!answer.Success) {
    return { kind: 'declined', bankOperationId, failureCode: refundFailureOf(answer.ErrorCode), card: NO_CARD };
  }
  const { Status = '', OriginalAmount, NewAmount } = answer;
  if (Status === 'REFUNDING' || Status === 'ASYNC_REFUNDING' || Status === 'REVERSING') {
    return { kind: 'pending', bankOperationId, acsUrl: null, card: NO_CARD };
  }
  if (!GIVEN_BACK.has(Status) || OriginalAmount === undefined || NewAmount === undefined) return UNKNOWN;
  const amountKopecks = OriginalAmount - NewAmount;
  return { kind: 'confirmed', bankOperationId, amountKopecks, currency: 'RUB', card: NO_CARD };
}
