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

/** `agreed`: the text that the buyer saw and agreed to; undefined: the box was left empty. */
export type AnswerConsent = { readonly checkoutToken: string; readonly agreed: ShownConsent | undefined };

/**
 * Records whether the buyer lets us save the card. Either way the payment continues: it is registered at the bank after
 * the answer is committed; without consent it is an ordinary payment. Until a card is sent the buyer may
 * change the answer. The last answer counts, and a yes after a no creates a new consent and binding. An
 * answer that arrives too late changes nothing.
 */
export async function answerConsent(deps: Deps, { checkoutToken, agreed }: AnswerConsent): Promise<void> {
  const found = await findPaymentByCheckout(deps.db, checkoutToken);
  if (found === undefined) return;
  const payment = await inTransaction(deps.db, async (tx) => {
    const locked = await lockPayment(tx, found.paymentId);
    const now = await clock(tx);
    if (!canAnswerConsent(locked, now) || (await whyHeld(tx, locked)) !== undefined) return undefined;
    // If this process dies before the registration ends, the worker takes over when a lease would have expired.
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

/** If the bank does not answer, the payment stays CREATED: the checkout says "preparing", and the worker continues. */
async function register(deps: Deps, { paymentId }: Payment): Promise<void> {
  await submitIfFree(deps, paymentId);
}
