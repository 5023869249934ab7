import type { PaymentMethod } from '@pay/contract/states.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import {
  changePayment,
  findPartnerPayment,
  findPartnerPaymentAt,
  lockPartnerPayment,
  type Payment,
  type PaymentAt,
} from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import { isCancellable } from '../../domain/payment/card-entry.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { askBankOnce } from './ask-bank-once.ts';
import { readBack } from './read-back.ts';
import { recordLocked, recordOutcome } from './record-outcome.ts';
import { withdrawOrder } from './withdraw-order.ts';

export type CancelPayment = {
  readonly paymentId: string;
  /** The methods behind the path; payments of another method are not found. */
  readonly methods: readonly PaymentMethod[];
};

export type CancelledPayment = PaymentAt & { readonly status: number; readonly replayed: boolean };

const ENDED = { kind: 'ended', failureCode: 'CANCELLED_BY_PARTNER' } as const;

/**
 * POST /api/card/{id}/cancel and POST /api/qr/{id}/cancel: the partner cancels a payment while no card has been sent to the
 * bank. It ends here first, with its payment.failed, and is then withdrawn at the bank; money that still arrives is late
 * money and is returned. For a QR code the bank is asked first, because the buyer may have paid a moment ago. A payment that is
 * already CANCELLED stays as it is. See decisions/cancellation.
 * @throws ApiError NOT_FOUND, CANCEL_NOT_ALLOWED, or of `once`: then nothing is stored and the key stays free
 */
export async function cancelPayment(deps: Deps, request: IdempotentRequest, command: CancelPayment): Promise<CancelledPayment> {
  const { paymentId } = command;
  await lookAtCode(deps, request.partnerId, command);
  let ended: Payment | undefined;
  const { status, replayed } = await inTransaction(deps.db, (tx) => {
    ended = undefined;
    return once(tx, request, { objectId: paymentId, status: 200 }, async () => {
      ended = await endUnpaid(deps, tx, request.partnerId, command);
    });
  });
  if (ended !== undefined) await withdraw(deps, ended);
  const found = await findPartnerPaymentAt(deps.db, request.partnerId, paymentId);
  if (found === undefined) throw new Error('an idempotency record names a missing payment');
  return { ...found, status, replayed };
}

/** Reads a QR payment at the bank. A missing answer does not stop the cancel: the outcome is found out afterwards. */
async function lookAtCode(deps: Deps, partnerId: PartnerId, { paymentId, methods }: CancelPayment): Promise<void> {
  const payment = await findPartnerPayment(deps.db, partnerId, paymentId);
  if (payment === undefined || !methods.includes(payment.method)) return;
  if (!paysBySbp(payment) || payment.status !== 'SUBMITTED') return;
  await askBankOnce(deps, paymentId, 'READ', async () => {
    await readBack(deps, paymentId);
  });
}

/** Ends the payment and returns it as it was before; undefined if it was already CANCELLED. */
async function endUnpaid(deps: Deps, tx: Tx, partnerId: PartnerId, { paymentId, methods }: CancelPayment): Promise<Payment | undefined> {
  const payment = await lockPartnerPayment(tx, partnerId, paymentId);
  if (payment === undefined || !methods.includes(payment.method)) throw new ApiError('NOT_FOUND');
  if (payment.status === 'CANCELLED') return undefined;
  if (!isCancellable(payment)) throw new ApiError('CANCEL_NOT_ALLOWED', { text: whyNot(payment) });
  const now = await clock(tx);
  await recordLocked(deps, tx, { payment, now }, { outcome: ENDED });
  // The bank may be creating the QR code at this moment. It is looked for, and withdrawn, when that call must have ended.
  const isAskedFor = payment.method === 'SBP_DYNAMIC_QR' && payment.status === 'CREATED';
  if (isAskedFor) await changePayment(tx, paymentId, { nextReadAt: new Date(now.getTime() + LEASE_MS) });
  return payment;
}

function whyNot({ status }: Payment): string {
  if (isOpen(status)) return 'a payment is under way at the bank: wait for its result';
  return status === 'COMPLETED' || status === 'REFUNDED' ? 'the payment is paid: give it back with a refund' : 'the payment has ended';
}

/** Withdraws the order at the bank. Without an answer, the worker continues for a QR code; a card payment can no longer be paid anyway. */
async function withdraw(deps: Deps, before: Payment): Promise<void> {
  // A payment that waits for the buyer's consent was never sent to the bank.
  if (awaitsConsent(before)) return;
  const { paymentId } = before;
  await withdrawOrder(deps, before)
    .then((outcome) => recordOutcome(deps, before, outcome))
    .catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      deps.log.warn('a cancelled payment has not been withdrawn at the bank yet', { paymentId, err: error });
    });
}
