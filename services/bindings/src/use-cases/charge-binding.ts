import { randomUUIDv7 } from 'node:crypto';
import { inTransaction, violatedConstraint, type Db, type Tx } from '@pay/shared/database/database.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest, type Outcome } from '@pay/shared/idempotency/idempotency.ts';
import { clock } from '@pay/shared/time/clock.ts';
import { expireBinding, lockPartnerBinding } from '../db/bindings.ts';
import { findCharge, insertCharge, occupySlot, ORDER_CONSTRAINT, orderIsTaken, type Charge } from '../db/charges.ts';
import type { Deps } from '../deps.ts';
import { chargeRefusal, type ChargeRefusal } from '../domain/charge-refusal.ts';
import { currentCharge, handOver } from './hand-over-charge.ts';

export type ChargeBinding = {
  readonly bindingId: string;
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
};

export type ChargedBinding = { readonly charge: Charge; readonly status: number; readonly replayed: boolean };

/**
 * POST /v1/recurring-payments: tx (accept: slot, charge, key) · call payments · tx (its answer). Without an answer the
 * charge stays CREATED; a repeat and a worker drive it on.
 * @throws ApiError 404; 409 by the rules of acceptance, DUPLICATE_ORDER, or of `once`; 503 ROUTE_UNAVAILABLE. Then
 * nothing is stored and the key stays free.
 */
export async function chargeBinding(
  deps: Deps,
  request: IdempotentRequest,
  command: ChargeBinding,
): Promise<ChargedBinding> {
  const { objectId: paymentId, status, replayed } = await accept(deps.db, request, command);
  const charge = await findCharge(deps.db, paymentId);
  // A repeat that came while the first call was undone: the key is free again.
  if (charge === undefined) throw new ApiError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfterSeconds: 1 });
  return { charge: await (replayed ? currentCharge(deps, charge) : handOver(deps, charge)), status, replayed };
}

/** The card's last month is over: thrown to leave no trace of the command, caught to move the binding. */
class CardExpired extends Error {}

async function accept(db: Db, request: IdempotentRequest, command: ChargeBinding): Promise<Outcome> {
  try {
    return await inTransaction(db, (tx) => once(tx, request, () => takeSlot(tx, request, command)));
  } catch (error) {
    if (violatedConstraint(error) === ORDER_CONSTRAINT) throw new ApiError('DUPLICATE_ORDER');
    if (!(error instanceof CardExpired)) throw error;
    await db.transaction((tx) => expireBinding(tx, command.bindingId));
    throw new ApiError('BINDING_EXPIRED');
  }
}

async function takeSlot(
  tx: Tx,
  { partnerId, key: idempotencyKey }: IdempotentRequest,
  command: ChargeBinding,
): Promise<{ objectId: string; status: number }> {
  const charge = { ...command, paymentId: randomUUIDv7(), partnerId, idempotencyKey };
  while (!(await occupySlot(tx, charge))) {
    const refusal = await whyNot(tx, partnerId, command);
    if (refusal !== undefined) refuse(refusal);
    // It became due between the two statements. The row is held now, so the next look is the last.
  }
  await insertCharge(tx, charge);
  return { objectId: charge.paymentId, status: 201 };
}

/** @throws ApiError 404, 409 DUPLICATE_ORDER, which come before what the binding says */
async function whyNot(
  tx: Tx,
  partnerId: string,
  { bindingId, merchantOrderId }: ChargeBinding,
): Promise<ChargeRefusal | undefined> {
  const binding = await lockPartnerBinding(tx, partnerId, bindingId);
  if (binding === undefined) throw new ApiError('NOT_FOUND');
  if (await orderIsTaken(tx, partnerId, merchantOrderId)) throw new ApiError('DUPLICATE_ORDER');
  return chargeRefusal(binding, await clock(tx));
}

function refuse(refusal: ChargeRefusal): never {
  if (refusal.kind === 'expire') throw new CardExpired('the last month of the card is over');
  const { code, nextChargeAt } = refusal;
  throw new ApiError(code, nextChargeAt === undefined ? {} : { members: { nextChargeAt: nextChargeAt.toISOString() } });
}
