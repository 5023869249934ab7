import { ApiError } from '@pay/shared/errors/api-error.ts';
import { inOneStatement } from '@pay/shared/postgres/fast/one-statement.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sideBySideLoop } from '@pay/shared/service/side-by-side.ts';
import { freeSlot, lockBinding } from '../db/bindings.ts';
import {
  advanceCharge,
  findCharge,
  forgetCharge,
  keepCharge,
  leaseCharges,
  listPartnersWithWaitingCharges,
  releaseCharge,
  whyWithdraw,
  type Charge,
} from '../db/charges.ts';
import type { Deps } from '../deps.ts';
import type { ChargeAnswer } from '../payments/payments.ts';
import { OPEN_CHARGE_STATUSES, type ChargeStatus, type OpenChargeStatus, type WithdrawalReason } from '../domain/charge-status.ts';

/**
 * Asks payments to make an accepted charge's payment, idempotently by its id, and records the answer. The caller leases
 * the charge. A final answer leaves the charge open here until its message arrives (decisions/recurring-charges), but
 * is returned.
 *
 * A refusal undoes the charge only where nobody knows of it and nothing can come of it any more: at its first attempt,
 * whose only call was answered by the only replica that can have received it, before the charge was answered to anybody.
 * Any other one that is refused ends FAILED at payments, with its event; where the way to the bank is shut, it waits
 * (decisions/recurring-charges).
 * @throws ApiError if payments refused and the charge, the slot and the key were undone together
 */
export async function handOver(deps: Deps, charge: Charge): Promise<Charge> {
  const answer = await deps.payments.charge(charge);
  if (answer.kind === 'taken' || answer.kind === 'unknown') return record(deps, charge, answer);
  const isOnlyCall = charge.attemptCount === 1 && !answer.mayBeElsewhere;
  if (isOnlyCall && (await undo(deps, charge))) throw answer.error;
  const current = (await findCharge(deps.db, charge.paymentId)) ?? charge;
  if (current.status !== 'CREATED') return current; // Its end has arrived meanwhile, or another attempt knew better.
  return answer.kind === 'refused' ? withdraw(deps, charge, 'PROCESSING_ERROR') : record(deps, charge, answer);
}

/**
 * As `handOver`, for a charge that waited. If its binding was revoked meanwhile, or it is an hour old, it is withdrawn
 * instead: payments ends it under its id, unless it already has it (decisions/recurring-charges).
 */
async function driveOn(deps: Deps, charge: Charge): Promise<Charge> {
  const reason = await whyWithdraw(deps.db, charge.paymentId);
  return reason === undefined ? handOver(deps, charge) : withdraw(deps, charge, reason);
}

const withdraw = async (deps: Deps, charge: Charge, reason: WithdrawalReason): Promise<Charge> =>
  record(deps, charge, await deps.payments.withdraw(charge, reason));

/** Records that payments has the charge, or when the next attempt begins. */
async function record(deps: Deps, charge: Charge, answer: ChargeAnswer): Promise<Charge> {
  const { paymentId, attemptCount } = charge;
  if (answer.kind === 'taken') {
    await inOneStatement(deps.db, (writer) => advanceCharge(writer, paymentId, handedOver(answer.status)));
    return { ...charge, status: answer.status };
  }
  if (answer.kind === 'refused') deps.log.error('payments does not end a charge', { err: answer.error, paymentId });
  await deps.db.transaction((tx) => releaseCharge(tx, charge, pauseSeconds(attemptCount)));
  return charge;
}

/**
 * The current charge, for a repeat of the command. If nobody is handing it over, it is handed over now. If somebody is, it
 * is kept from now on, because it is answered.
 * @throws ApiError 409 if it was undone meanwhile: the key is free again
 */
export async function currentCharge(deps: Deps, charge: Charge): Promise<Charge> {
  const { paymentId } = charge;
  if (charge.status === 'CREATED') {
    const leased = await deps.db.transaction(async (tx) => {
      const [taken] = await leaseCharges(tx, { paymentId }, 1);
      if (taken === undefined) await keepCharge(tx, paymentId);
      return taken;
    });
    if (leased !== undefined) return driveOn(deps, leased);
    const kept = await findCharge(deps.db, paymentId);
    if (kept === undefined) throw undoneMeanwhile();
    return kept;
  }
  if (!isOpen(charge.status)) return charge;
  const answer = await deps.payments.charge(charge);
  return answer.kind === 'taken' ? { ...charge, status: answer.status } : charge;
}

/** To a repeat that arrived while the first call was being undone. */
export const undoneMeanwhile = () => new ApiError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfterSeconds: 1 });

/** Deletes the charge and its key, and frees the slot. False, and nothing is done, if anybody else knows of the charge. */
async function undo(deps: Deps, charge: Charge): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    await lockBinding(tx, charge.bindingId);
    const isForgotten = await forgetCharge(tx, charge);
    if (isForgotten) await freeSlot(tx, charge.bindingId, undefined);
    return isForgotten;
  });
}

const isOpen = (status: ChargeStatus): status is OpenChargeStatus => OPEN_CHARGE_STATUSES.some((open) => open === status);

/**
 * Here CREATED means that payments may not have the charge. Its own CREATED, and its final states, are only returned.
 */
const handedOver = (status: ChargeStatus): 'SUBMITTED' | 'PENDING' => (status === 'PENDING' ? status : 'SUBMITTED');

/** 1 s, 2 s, 4 s, … at most a minute. */
function pauseSeconds(attemptCount: number): number {
  return Math.min(60, 2 ** Math.min(attemptCount - 1, 6));
}

/**
 * Drives on charges that were accepted but not handed over, because the process died or payments did not answer. Each
 * partner is handled separately: only payments knows the banks, and a partner's charges wait only for its own.
 */
export function handOverLoop(deps: Deps): Loop {
  return sideBySideLoop({
    name: 'hand over charges',
    intervalMs: 1_000,
    log: deps.log,
    partiesMax: 8,
    batch: 10,
    parties: () => listPartnersWithWaitingCharges(deps.db),
    claim: (partnerId, limit) => deps.db.transaction((tx) => leaseCharges(tx, { partnerId }, limit)),
    one: (charge) => driveOnAlone(deps, charge),
  });
}

async function driveOnAlone(deps: Deps, charge: Charge): Promise<void> {
  try {
    await driveOn(deps, charge);
  } catch (err) {
    // Its lease expires.
    deps.log.error('a charge could not be handed over', { err, paymentId: charge.paymentId });
  }
}
