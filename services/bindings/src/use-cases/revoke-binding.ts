import { setTimeout as wait } from 'node:timers/promises';
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
export async function revokeBinding(
  deps: Deps,
  request: IdempotentRequest,
  bindingId: string,
): Promise<RevokedBinding> {
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

/**
 * Tells payments before the answer: from then on it sends no charge of the card, and a charge that was accepted but had
 * not reached it is withdrawn. If payments does not answer, nobody waits: it asks us before it sends a charge, and the
 * loop withdraws the waiting charge. ADR 0100.
 */
async function afterRevoke(deps: Deps, partnerId: PartnerId, bindingId: string): Promise<Binding> {
  const told = Promise.all([
    deps.payments.publishRevoked(partnerId, bindingId),
    withdrawOpen(deps, partnerId, bindingId),
  ]);
  const failed = (err: unknown) => {
    deps.log.warn('a charge of a revoked binding is not withdrawn yet', { err, bindingId });
  };
  await Promise.race([told.catch(failed), wait(TELL_MS, undefined, { ref: false })]);
  return readBinding(deps.db, partnerId, bindingId);
}

async function withdrawOpen(deps: Deps, partnerId: PartnerId, bindingId: string): Promise<void> {
  const { openPaymentId } = await readBinding(deps.db, partnerId, bindingId);
  const charge = openPaymentId === null ? undefined : await findCharge(deps.db, openPaymentId);
  if (charge?.status === 'CREATED') await currentCharge(deps, charge);
}
