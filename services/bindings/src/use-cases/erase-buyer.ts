import { randomUUID } from 'node:crypto';
import type { BuyerErased } from '@pay/contract/messages.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { findAnyBinding, revokeActive } from '../db/bindings.ts';
import { clearDeadLetters, eraseBuyerRows, lockBuyersBindings } from '../db/buyers.ts';
import type { Deps } from '../deps.ts';
import { publishCharge } from './publish-charge.ts';

/** The number of rows from which the buyer was erased. */
export type ErasedBuyer = { readonly bindings: number; readonly consents: number };

/**
 * POST /operator/bindings/{bindingId}/erase-buyer: revokes every card that a binding's buyer saved with its partner,
 * and erases what is stored about the buyer: masks, expiries, the address and browser that gave a consent. The agreed
 * text stays, with its time and hash: it proves the charges that were made. The customerID becomes a random name. The
 * call names a binding, so that no audit log contains the customerID. The notifier is told, and erases its callbacks.
 * See decisions/erasure.
 * @throws ApiError NOT_FOUND; VALIDATION_FAILED while a charge of the buyer is not finished, or a message about them
 * waits
 * in the dead letters
 */
export async function eraseBuyer(deps: Deps, operator: OperatorLogin, bindingId: string): Promise<ErasedBuyer> {
  const { partnerId, bindingIds, ...erased } = await inTransaction(deps.db, async (tx) => {
    const named = await findAnyBinding(tx, bindingId);
    if (named === undefined) throw new ApiError('NOT_FOUND');
    const { partnerId: partner, customerId } = named;
    const bindings = await lockBuyersBindings(tx, partner, customerId);
    if (bindings.some(({ openPaymentId }) => openPaymentId !== null)) {
      throw invalidField('bindingId', 'a charge of this buyer is not finished');
    }
    if (await clearDeadLetters(tx, partner, customerId)) {
      throw invalidField('bindingId', 'a message about this buyer waits in the dead letters; handle it first');
    }
    for (const binding of bindings) {
      const revoked = await revokeActive(tx, partner, binding.bindingId);
      if (revoked !== undefined) await publishCharge(tx, 'binding.revoked', revoked, revoked.revokedAt ?? revoked.updatedAt);
    }
    const occurredAt = await clock(tx);
    for (const binding of bindings) {
      const payload: BuyerErased = {
        partnerId: partner,
        bindingId: binding.bindingId,
        occurredAt: occurredAt.toISOString(),
      };
      await appendToOutbox(tx, { type: 'buyer.erased', aggregateId: binding.bindingId, occurredAt, payload });
    }
    const counts = await eraseBuyerRows(tx, { partnerId: partner, customerId, pseudonym: `erased-${randomUUID()}` });
    return { partnerId: partner, bindingIds: bindings.map((binding) => binding.bindingId), ...counts };
  });
  // Payments erases no card before it has heard of the revocation: if it does not answer, this is repeated.
  for (const revoked of bindingIds) await deps.payments.publishRevoked(partnerId, revoked);
  deps.log.info('a buyer was erased', { operator, bindingId });
  return erased;
}
