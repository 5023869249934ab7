import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { findStoreOfPoint } from '../../db/merchant/payment-points.ts';
import { LEASE_MS } from '../../db/payment/leases.ts';
import { changePayment, findPaymentByCheckout, lockPayment, type Payment } from '../../db/payment/payments.ts';
import { whyHeld } from '../../db/payment/standings.ts';
import type { Deps } from '../../deps.ts';
import { canAnswerConsent } from '../../domain/payment/consent.ts';
import { submitIfFree } from '../payment/submit-payment.ts';
import { givenConsent, publishShownConsent, type ShownConsent } from '../saved-card/publish-consent.ts';

/** `agreed`: what the buyer saw and ticked; undefined: the box was left empty. */
export type AnswerConsent = { readonly checkoutToken: string; readonly agreed: ShownConsent | undefined };

/**
 * The buyer answered whether the card may be saved. Either way the payment goes on: it is registered at the bank after
 * the answer is committed, and with an empty box it is an ordinary payment. Until a card is on its way the buyer may
 * answer anew; the answer that counts is the last one, and a yes after a no is a consent and a binding of its own. An
 * answer that comes too late changes nothing.
 */
export async function answerConsent(deps: Deps, { checkoutToken, agreed }: AnswerConsent): Promise<void> {
  const found = await findPaymentByCheckout(deps.db, checkoutToken);
  if (found === undefined) return;
  const payment = await inTransaction(deps.db, async (tx) => {
    const locked = await lockPayment(tx, found.paymentId);
    const now = await clock(tx);
    if (!canAnswerConsent(locked, now) || (await whyHeld(tx, locked)) !== undefined) return undefined;
    // Should this process die before the registration ends, the worker takes over when a lease would have run out.
    const due = locked.status === 'CREATED' ? { nextReadAt: new Date(now.getTime() + LEASE_MS) } : {};
    if (agreed === undefined) {
      return changePayment(tx, locked.paymentId, { consent: 'DECLINED', consentId: null, bindingId: null, ...due });
    }
    if (locked.consent === 'GIVEN') return locked;
    const given = await changePayment(tx, locked.paymentId, { ...givenConsent(), ...due });
    const store = await findStoreOfPoint(tx, given.paymentPointId);
    await publishShownConsent(tx, given, store?.name, { ...agreed, acceptedAt: now });
    return given;
  });
  if (payment?.status === 'CREATED') await register(deps, payment);
}

/** No answer of the bank leaves the payment CREATED: the checkout then says "preparing", and the worker carries it on. */
async function register(deps: Deps, { paymentId }: Payment): Promise<void> {
  await submitIfFree(deps, paymentId);
}
