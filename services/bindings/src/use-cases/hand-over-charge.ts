import { ApiError } from '@pay/shared/errors/api-error.ts';
import { inOneStatement } from '@pay/shared/postgres/fast/one-statement.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sideBySideLoop } from '@pay/shared/service/side-by-side.ts';
import { freeSlot, lockBinding } from '../db/bindings.ts';
import {
  advanceCharge,
  findCharge,
  forgetCharge,
  leaseCharges,
  listPartnersWithWaitingCharges,
  releaseCharge,
  whyWithdraw,
  type Charge,
} from '../db/charges.ts';
import type { Deps } from '../deps.ts';
import type { ChargeAnswer } from '../payments/payments.ts';
import { OPEN_CHARGE_STATUSES, type ChargeStatus, type OpenChargeStatus } from '../domain/charge-status.ts';

/**
 * Asks payments to make an accepted charge's payment, idempotently by its id, and records the answer. The caller leases
 * the charge. A final answer leaves the charge open here until its message arrives (ADR 0002), but is returned.
 * @throws ApiError if payments refused: the charge, the slot and the key are undone together
 */
export async function handOver(deps: Deps, charge: Charge): Promise<Charge> {
  return record(deps, charge, await deps.payments.charge(charge));
}

/**
 * As `handOver`, for a charge that waited. If its binding was revoked meanwhile, or it is an hour old, it is withdrawn
 * instead: payments ends it under its id, unless it already has it (ADR 0100).
 */
async function driveOn(deps: Deps, charge: Charge): Promise<Charge> {
  const reason = await whyWithdraw(deps.db, charge.paymentId);
  if (reason === undefined) return handOver(deps, charge);
  return record(deps, charge, await deps.payments.withdraw(charge, reason));
}

async function record(deps: Deps, charge: Charge, answer: ChargeAnswer): Promise<Charge> {
  const { paymentId } = charge;
  switch (answer.kind) {
    case 'taken': {
      await inOneStatement(deps.db, (writer) => advanceCharge(writer, paymentId, handedOver(answer.status)));
      return { ...charge, status: answer.status };
    }
    case 'refused':
      return undo(deps, charge, answer.error);
    case 'not-now':
      // Only on the first attempt is it certain that no other one reached payments.
      if (charge.attemptCount === 1) return undo(deps, charge, answer.error);
      break;
    case 'unknown':
  }
  await deps.db.transaction((tx) => releaseCharge(tx, charge, pauseSeconds(charge.attemptCount)));
  return charge;
}

/** The current charge, for a repeat of the command. If nobody is handing it over, it is handed over now. */
export async function currentCharge(deps: Deps, charge: Charge): Promise<Charge> {
  if (charge.status === 'CREATED') {
    const [leased] = await deps.db.transaction((tx) => leaseCharges(tx, { paymentId: charge.paymentId }, 1));
    return leased === undefined ? charge : driveOn(deps, leased);
  }
  if (!isOpen(charge.status)) return charge;
  const answer = await deps.payments.charge(charge);
  return answer.kind === 'taken' ? { ...charge, status: answer.status } : charge;
}

async function undo(deps: Deps, charge: Charge, refusal: ApiError): Promise<Charge> {
  const { bindingId, paymentId } = charge;
  const undone = await deps.db.transaction(async (tx) => {
    await lockBinding(tx, bindingId);
    const forgotten = await forgetCharge(tx, charge);
    if (forgotten) await freeSlot(tx, bindingId, undefined);
    return forgotten;
  });
  const current = undone ? undefined : await findCharge(deps.db, paymentId);
  if (current === undefined) throw refusal;
  return current; // Another attempt was in progress and knows better.
}

const isOpen = (status: ChargeStatus): status is OpenChargeStatus =>
  OPEN_CHARGE_STATUSES.some((open) => open === status);

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
  const { paymentId } = charge;
  try {
    await driveOn(deps, charge);
  } catch (err) {
    if (err instanceof ApiError)
      deps.log.warn('payments refused a charge that was answered CREATED, undoing it', { err, paymentId });
    // Its lease expires.
    else deps.log.error('a charge could not be handed over', { err, paymentId });
  }
}
