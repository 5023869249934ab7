import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { letGo } from '@pay/shared/postgres/let-go.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { isHeldByFirstCall, once, recordStatement, type IdempotentRequest, type Outcome } from '@pay/shared/idempotency/idempotency.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { expireBinding, lockPartnerBinding, type Binding } from '../db/bindings.ts';
import { findChargeable, slotStatement } from '../db/chargeable.ts';
import {
  abandonNewCharge,
  chargeStatement,
  findCharge,
  findChargeOfOrder,
  insertCharge,
  LEASE_SECONDS,
  listDeclines,
  occupySlot,
  ORDER_CONSTRAINT,
  type Charge,
  type NewCharge,
} from '../db/charges.ts';
import type { Deps } from '../deps.ts';
import { chargeRefusal, type ChargeRefusal } from '../domain/charge-refusal.ts';
import { retryRefusal, schemeOf } from '../domain/charge-retry.ts';
import { currentCharge, handOver, undoneMeanwhile } from './hand-over-charge.ts';
import { publishCharge } from './publish-charge.ts';

export type ChargeBinding = {
  readonly bindingId: string;
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly receipt: Receipt | null;
};

export type ChargedBinding = { readonly charge: Charge; readonly status: number; readonly replayed: boolean };

/**
 * POST /v1/recurring-payments: tx (accept: slot, charge, key) · call payments · tx (its answer). Without an answer the
 * charge stays CREATED; a repeat or a worker drives it on. Faults of the request itself (an amount beyond the limits, a
 * used order number) are reported before those of its binding, so payments is asked before a refusal.
 * @throws ApiError 404; 409 by the rules of acceptance, DUPLICATE_ORDER, or from `once`; 503 ROUTE_UNAVAILABLE. Then
 * nothing is stored and the key stays free.
 */
export async function chargeBinding(deps: Deps, request: IdempotentRequest, command: ChargeBinding): Promise<ChargedBinding> {
  const accepted = await accept(deps, request, command);
  const { objectId, status, replayed } = accepted.outcome;
  if (accepted.charge !== undefined) return { charge: await handOver(deps, accepted.charge), status, replayed };
  const charge = await findCharge(deps.db, objectId);
  if (charge === undefined) throw undoneMeanwhile();
  return { charge: await currentCharge(deps, charge), status, replayed };
}

/** `charge`: the one that this call created and leased; undefined for a repeat. */
type Accepted = { readonly outcome: Outcome; readonly charge: Charge | undefined };

/** The card's last month has passed. Thrown to leave no trace of the command, caught to move the binding. */
class CardExpired extends Error {}

/** Refusals that take precedence over what payments knows about the request. */
const COMES_FIRST: readonly ErrorCode[] = ['NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS'];

async function accept(deps: Deps, request: IdempotentRequest, command: ChargeBinding): Promise<Accepted> {
  const paymentId = deps.operationIds.issue();
  try {
    return await acceptAs(deps, request, command, paymentId);
  } catch (error) {
    // It may be stored all the same, and nobody else would hand it over for as long as this call might have.
    const release = (tx: Tx) => abandonNewCharge(tx, paymentId);
    if (isUnavailable(error)) letGo(deps.db, { heldForMs: LEASE_SECONDS * 1_000, release });
    throw error;
  }
}

async function acceptAs(deps: Deps, request: IdempotentRequest, command: ChargeBinding, paymentId: string): Promise<Accepted> {
  const { db, payments } = deps;
  const { partnerId, key: idempotencyKey } = request;
  const wanted = { ...command, paymentId, partnerId, idempotencyKey };
  const made = { objectId: wanted.paymentId, status: 201 };
  const accepted = await acceptOptimistically(deps, (tx) => recordStatement(tx, request, made), wanted);
  if (accepted !== undefined) return { outcome: { ...made, replayed: false }, charge: accepted };
  const refused = await inTransaction(db, async (tx) => {
    let charge: Charge | undefined;
    const outcome = await once(tx, request, made, async () => {
      charge = await takeSlot(deps, tx, wanted);
    });
    return { outcome, charge };
  }).catch(async (error: unknown) => {
    const isDuplicate = violatedConstraint(error) === ORDER_CONSTRAINT;
    return (isDuplicate ? await duplicateOrder(db, partnerId, command) : undefined) ?? refusalOf(error);
  });
  if (!(refused instanceof Error)) return refused;
  const isFirst = refused instanceof ApiError && COMES_FIRST.includes(refused.code);
  const wrong = isFirst ? undefined : await payments.check({ ...command, partnerId: request.partnerId });
  if (wrong !== undefined) throw wrong;
  if (refused instanceof ApiError) throw refused;
  await inTransaction(db, async (tx) => {
    const expired = await expireBinding(tx, command.bindingId);
    if (expired !== undefined) await publishCharge(tx, 'binding.expired', expired, expired.updatedAt);
  });
  throw new ApiError('BINDING_EXPIRED');
}

/**
 * The ordinary case, in two round trips: one read of everything, then one write of everything, which fails as a whole unless
 * the binding is as it was read (decisions/round-trips). Undefined otherwise: then nothing is stored, and `takeSlot`
 * decides.
 */
async function acceptOptimistically(
  { db, retryLimits }: Deps,
  record: (tx: Tx) => ReturnType<typeof recordStatement>,
  wanted: Omit<NewCharge, 'createdAt'>,
): Promise<Charge | undefined> {
  const found = await findChargeable(db, wanted);
  if (found === undefined) return undefined;
  const { binding, declines, now } = found;
  const refusal = chargeRefusal(binding, now) ?? retryRefusal(declines, retryLimits[schemeOf(binding.cardMask)], now);
  if (refusal !== undefined) return undefined;
  try {
    const [, , rows] = await inPipeline(db, (tx) => [record(tx), slotStatement(tx, wanted, found), chargeStatement(tx, wanted)]);
    return onlyRow(rows);
  } catch (error) {
    const isMiss = isMissed(error) || violatedConstraint(error) !== undefined || isHeldByFirstCall(error);
    if (!isMiss) throw error;
    return undefined;
  }
}

/** @throws the error itself if it is not a refusal */
function refusalOf(error: unknown): ApiError | CardExpired {
  if (error instanceof ApiError || error instanceof CardExpired) return error;
  throw error;
}

async function takeSlot(deps: Deps, tx: Tx, wanted: Omit<NewCharge, 'createdAt'>): Promise<Charge> {
  let binding = await occupySlot(tx, wanted);
  while (binding === undefined) {
    const refusal = await whyNot(tx, wanted);
    if (refusal !== undefined) refuse(refusal);
    // It became due between the two statements. The row is locked now, so the next check is final.
    binding = await occupySlot(tx, wanted);
  }
  const accepted = { ...wanted, createdAt: binding.updatedAt };
  await refuseRepeat(deps, tx, accepted, binding);
  return insertCharge(tx, accepted);
}

/** The slot is taken, so no other charge of the binding can end meanwhile. @throws ApiError 409 RETRY_NOT_ALLOWED */
async function refuseRepeat(
  { retryLimits }: Deps,
  tx: Tx,
  { partnerId, merchantOrderId, createdAt: now }: NewCharge,
  binding: Binding,
): Promise<void> {
  const refusal = retryRefusal(await listDeclines(tx, binding), retryLimits[schemeOf(binding.cardMask)], now);
  if (refusal === undefined) return;
  const duplicate = await duplicateOrder(tx, partnerId, { merchantOrderId });
  if (duplicate !== undefined) throw duplicate;
  const { notBefore } = refusal;
  const members = { retryNotBefore: notBefore?.toISOString() ?? null };
  throw new ApiError('RETRY_NOT_ALLOWED', notBefore === null ? { members, text: DECLINED_FOR_GOOD } : { members });
}

const DECLINED_FOR_GOOD = 'the card declined this charge permanently; ask the buyer for another card';

/** @throws ApiError 404, 409 DUPLICATE_ORDER, which take precedence over the state of the binding */
async function whyNot(
  tx: Tx,
  { partnerId, bindingId, merchantOrderId }: Pick<NewCharge, 'partnerId' | 'bindingId' | 'merchantOrderId'>,
): Promise<ChargeRefusal | undefined> {
  const binding = await lockPartnerBinding(tx, partnerId, bindingId);
  if (binding === undefined) throw new ApiError('NOT_FOUND');
  const duplicate = await duplicateOrder(tx, partnerId, { merchantOrderId });
  if (duplicate !== undefined) throw duplicate;
  return chargeRefusal(binding, await clock(tx));
}

function refuse(refusal: ChargeRefusal): never {
  if (refusal.kind === 'expire') throw new CardExpired('the card has expired');
  const { code, nextChargeAt, openPaymentId } = refusal;
  throw new ApiError(code, {
    members: {
      ...(nextChargeAt === undefined ? {} : { nextChargeAt: nextChargeAt.toISOString() }),
      ...(openPaymentId === undefined ? {} : { paymentId: openPaymentId }),
    },
  });
}

/**
 * 409 DUPLICATE_ORDER naming the partner's own charge with this number; undefined if there is none. See
 * decisions/idempotency.
 */
async function duplicateOrder(
  reader: Reader,
  partnerId: PartnerId,
  { merchantOrderId }: Pick<ChargeBinding, 'merchantOrderId'>,
): Promise<ApiError | undefined> {
  const paymentId = await findChargeOfOrder(reader, partnerId, merchantOrderId);
  return paymentId === undefined ? undefined : new ApiError('DUPLICATE_ORDER', { members: { paymentId } });
}
