import { setTimeout as wait } from 'node:timers/promises';
import { CONSENT_HOLDS_MS } from '@pay/contract/charges.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { findAnyBinding, findBinding, revokeActive, type Binding } from '../db/bindings.ts';
import { findCharge, hurryCharge } from '../db/charges.ts';
import type { Deps } from '../deps.ts';
import { currentCharge } from './hand-over-charge.ts';
import { readBinding } from './read-bindings.ts';
import { publishCharge } from './publish-charge.ts';

export type RevokedBinding = { readonly binding: Binding; readonly status: number; readonly replayed: boolean };

/**
 * POST /v1/bindings/{bindingId}/revoke: from now on no charge is accepted. A binding that is already revoked stays as
 * it is, without a second event.
 * @throws ApiError 404, 409 from `once`
 */
export async function revokeBinding(deps: Deps, request: IdempotentRequest, bindingId: string): Promise<RevokedBinding> {
  const { partnerId } = request;
  const { status, replayed } = await inTransaction(deps.db, (tx) =>
    once(tx, request, { objectId: bindingId, status: 202 }, () => revoke(tx, partnerId, bindingId)),
  );
  return { binding: await afterRevoke(deps, partnerId, bindingId), status, replayed };
}

/**
 * The buyer's own revocation, from the page in payments: as above, but without a key, because repeating it changes
 * nothing.
 */
export async function revokeByBuyer(deps: Deps, partnerId: PartnerId, bindingId: string): Promise<Binding> {
  await inTransaction(deps.db, (tx) => revoke(tx, partnerId, bindingId));
  return afterRevoke(deps, partnerId, bindingId);
}

/**
 * POST /operator/bindings/{bindingId}/revoke: support revokes for a buyer who called. As the buyer's own revocation.
 * @throws ApiError 404
 */
export async function revokeForCaller(deps: Deps, operator: OperatorLogin, bindingId: string): Promise<Binding> {
  const named = await findAnyBinding(deps.db, bindingId);
  if (named === undefined) throw new ApiError('NOT_FOUND');
  const revoked = await revokeByBuyer(deps, named.partnerId, bindingId);
  deps.log.info('an operator revoked a binding', { operator, bindingId });
  return revoked;
}

async function revoke(tx: Tx, partnerId: PartnerId, bindingId: string): Promise<void> {
  const revoked = await revokeActive(tx, partnerId, bindingId);
  if (revoked !== undefined) {
    await publishCharge(tx, 'binding.revoked', revoked, revoked.revokedAt ?? revoked.updatedAt);
    await hurryCharge(tx, bindingId);
  } else if ((await findBinding(tx, partnerId, bindingId)) === undefined) {
    throw new ApiError('NOT_FOUND');
  }
}

/** A revocation is answered within this time, whether or not payments could be reached. */
export const TELL_MS = 3_000;
/** Longer than payments relies on a consent that it asked for, and a little for the way from there to the bank. */
export const LEAVE_MS = CONSENT_HOLDS_MS + 50;

/**
 * Payments asks us before it sends a charge, and relies on the answer for CONSENT_HOLDS_MS: once that time has passed, whatever
 * it had asked before the revocation was committed has left for the bank, or never will. So a revocation is answered
 * only then if a charge is open, whether payments can be reached or not. It is also told, and a charge that it does not
 * have is withdrawn, so that the partner hears of its end soon; the loop does that if payments does not answer. See
 * decisions/recurring-charges.
 */
async function afterRevoke(deps: Deps, partnerId: PartnerId, bindingId: string): Promise<Binding> {
  const { openPaymentId } = await readBinding(deps.db, partnerId, bindingId);
  const told = Promise.all([
    deps.payments.publishRevoked(partnerId, bindingId),
    openPaymentId === null ? undefined : withdrawOpen(deps, openPaymentId),
  ]);
  const failed = (err: unknown) => {
    deps.log.warn('a charge of a revoked binding is not withdrawn yet', { err, bindingId });
  };
  await Promise.all([
    Promise.race([told.catch(failed), wait(TELL_MS, undefined, { ref: false })]),
    openPaymentId === null ? undefined : wait(LEAVE_MS),
  ]);
  return readBinding(deps.db, partnerId, bindingId);
}

async function withdrawOpen(deps: Deps, openPaymentId: string): Promise<void> {
  const charge = await findCharge(deps.db, openPaymentId);
  if (charge?.status === 'CREATED') await currentCharge(deps, charge);
}
