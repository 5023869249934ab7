import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction, type Tx } from '@pay/shared/database/database.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { findBinding, revokeActive, type Binding } from '../db/bindings.ts';
import { findCharge } from '../db/charges.ts';
import type { Deps } from '../deps.ts';
import { readBinding } from './read-bindings.ts';
import { tellPartner } from './tell-partner.ts';

export type RevokedBinding = { readonly binding: Binding; readonly status: number; readonly replayed: boolean };

/**
 * POST /v1/bindings/{bindingId}/revoke: at once, no charge is accepted any more. A binding that is revoked stays as it
 * is, without a second event. @throws ApiError 404, 409 of `once`
 */
export async function revokeBinding(
  deps: Deps,
  request: IdempotentRequest,
  bindingId: string,
): Promise<RevokedBinding> {
  const { partnerId } = request;
  const { status, replayed } = await inTransaction(deps.db, (tx) =>
    once(tx, request, async () => {
      await revoke(tx, partnerId, bindingId);
      return { objectId: bindingId, status: 202 };
    }),
  );
  return { binding: await afterHandOver(deps, partnerId, bindingId), status, replayed };
}

/** The buyer's own revoke, from the page of payments: as above; without a key, because repeating it changes nothing. */
export async function revokeByBuyer(deps: Deps, partnerId: string, bindingId: string): Promise<Binding> {
  await inTransaction(deps.db, (tx) => revoke(tx, partnerId, bindingId));
  return afterHandOver(deps, partnerId, bindingId);
}

async function revoke(tx: Tx, partnerId: string, bindingId: string): Promise<void> {
  const revoked = await revokeActive(tx, partnerId, bindingId);
  if (revoked !== undefined) {
    await tellPartner(tx, 'binding.revoked', revoked, revoked.revokedAt ?? revoked.updatedAt);
  } else if ((await findBinding(tx, partnerId, bindingId)) === undefined) {
    throw new ApiError('NOT_FOUND');
  }
}

/** Longer than a charge takes to reach payments, shorter than the patience of who revokes. */
const HAND_OVER_WAIT_MS = 3_000;
const POLL_MS = 20;

/**
 * A charge that was accepted a moment before is still on its way to payments. The answer waits for it, so that whoever
 * has read "revoked" sees no payment appear after that; not for ever, because the revoke itself is done.
 */
async function afterHandOver(deps: Deps, partnerId: string, bindingId: string): Promise<Binding> {
  const binding = await readBinding(deps.db, partnerId, bindingId);
  const { openPaymentId } = binding;
  if (openPaymentId === null) return binding;
  const endsAt = performance.now() + HAND_OVER_WAIT_MS;
  while ((await findCharge(deps.db, openPaymentId))?.status === 'CREATED' && performance.now() < endsAt) {
    await wait(POLL_MS);
  }
  return readBinding(deps.db, partnerId, bindingId);
}
