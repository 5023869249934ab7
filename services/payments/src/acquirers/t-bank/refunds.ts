import { NO_CARD, type RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { AcquirerRefund } from '../acquirer.ts';
import type { TBankAnswer, TBankPayment } from './answer.ts';
import { refundFailureOf } from './failure.ts';
import { receiptFields } from './receipt.ts';
import type { TerminalCalls } from './terminal.ts';

const UNKNOWN = { kind: 'unknown' } as const;
/** A payment that money can be given back of, or was. */
const REFUNDABLE = new Set(['CONFIRMED', 'PARTIAL_REFUNDED', 'REFUNDED', 'REFUNDING']);
const GIVEN_BACK = new Set(['REFUNDED', 'PARTIAL_REFUNDED', 'REVERSED', 'PARTIAL_REVERSED']);

/** The payment that money goes back of: of an order that was paid twice, the one that is meant. */
function findPaid(
  payments: readonly TBankPayment[],
  { bankOperationId }: Pick<AcquirerRefund, 'bankOperationId'>,
): TBankPayment | undefined {
  const refundable = payments.filter(({ Status }) => REFUNDABLE.has(Status));
  return refundable.find(({ PaymentId }) => bankOperationId === null || PaymentId === bankOperationId);
}

/** Gives money of a payment back: Cancel with an amount. */
export async function refundPayment(terminal: TerminalCalls, refund: AcquirerRefund): Promise<RefundResult> {
  const { operationId, originalOperationId, amountKopecks, receipt } = refund;
  const found = await terminal.find(originalOperationId);
  if (found.kind !== 'found') return { kind: 'not-sent' };
  const paid = findPaid(found.payments, refund);
  if (paid === undefined) return { kind: 'absent' };
  // A repeat under the same ExternalRequestId gives nothing back a second time; not so by SBP, see `readRefund`.
  const answer = await terminal.call('Cancel', {
    PaymentId: paid.PaymentId,
    Amount: amountKopecks,
    ExternalRequestId: operationId,
    ...receiptFields(receipt),
  });
  return answer.kind === 'answer' ? refunded(paid.PaymentId, answer) : answer;
}

/**
 * The bank has no read of a single refund. By card sending it again under its ExternalRequestId is the read; by SBP
 * that would give the money back twice ("Параметр не работает для операций по СБП"): only a payment that is given
 * back whole tells, everything else is for a person.
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

/** What Cancel answered about a refund: the bank's own amounts before and after tell how much went back. */
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
