import { randomInt } from 'node:crypto';
import type { Db, Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import {
  insertBeneficiary,
  listBeneficiaries,
  lockBeneficiary,
  moveBeneficiary,
  revokeIssued,
  type Beneficiary,
} from '../db/beneficiaries.ts';
import { appendAudit } from '../db/audit-log.ts';
import { decideBeneficiary } from '../domain/beneficiary.ts';

export type { Beneficiary } from '../db/beneficiaries.ts';

/** Letters that cannot be misread, in runs that cannot be mistaken for a number or an address. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz';
const LETTER_COUNT = 16;

/** A proposal that nobody has decided within three days must be made again. */
const OPEN_MS = 72 * 3_600_000;

/**
 * Proposes a recipient agreed with a partner. It can be used once a second person has confirmed it. The agreement
 * itself is never stored here.
 */
export async function proposeBeneficiary(db: Db, operator: Operator, partnerId: PartnerId, label: string): Promise<Beneficiary> {
  return inTransaction(db, async (tx) => {
    const letters = Array.from({ length: LETTER_COUNT }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
    const inserted = await insertBeneficiary(tx, {
      beneficiaryRef: `bnf-${letters}`,
      partnerId,
      label,
      status: 'PROPOSED',
      issuedBy: operator.login,
      issuerNotIndependentOf: [...operator.notIndependentOf],
      expiresAt: new Date((await clock(tx)).getTime() + OPEN_MS),
    });
    const beneficiary = onlyRow(inserted === undefined ? [] : [inserted]);
    await record(tx, 'beneficiary.propose', operator, { before: null, after: beneficiary });
    return beneficiary;
  });
}

/** `stale`: somebody has already decided it. */
export type BeneficiaryOutcome = { readonly kind: 'done' | 'stale'; readonly beneficiary: Beneficiary };

/**
 * Issues a proposed recipient, or rejects it.
 * @throws ApiError 404; 403 for the operator who proposed it and anyone not independent of them; 409 for a proposal
 * that is too old
 */
export async function decideOnBeneficiary(
  db: Db,
  operator: Operator,
  beneficiaryRef: string,
  to: 'ISSUED' | 'REJECTED',
): Promise<BeneficiaryOutcome> {
  return inTransaction(db, async (tx) => {
    const seen = await lockBeneficiary(tx, beneficiaryRef);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    const decision = decideBeneficiary(seen, to, operator, await clock(tx));
    if (decision.kind === 'refuse') {
      if (decision.reason === 'same-person') throw new ApiError('FORBIDDEN', { text: SECOND_PERSON });
      return { kind: 'stale', beneficiary: seen };
    }
    const beneficiary = await moveBeneficiary(tx, beneficiaryRef, decision.to, operator.login);
    const action = to === 'ISSUED' ? 'beneficiary.issue' : 'beneficiary.reject';
    await record(tx, action, operator, { before: seen, after: beneficiary });
    return { kind: 'done', beneficiary };
  });
}

/**
 * Revokes an issued recipient, for good. It takes one person, because it only stops transfers: from then on none can be requested or
 * approved. `stale`: it is not issued.
 * @throws ApiError 404
 */
export async function revokeBeneficiary(db: Db, operator: Operator, beneficiaryRef: string, reason: string): Promise<BeneficiaryOutcome> {
  return inTransaction(db, async (tx) => {
    const seen = await lockBeneficiary(tx, beneficiaryRef);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    const revoked = await revokeIssued(tx, beneficiaryRef, { revokedBy: operator.login, revokeReason: reason });
    if (revoked === undefined) return { kind: 'stale', beneficiary: seen };
    await record(tx, 'beneficiary.revoke', operator, { before: seen, after: revoked });
    return { kind: 'done', beneficiary: revoked };
  });
}

const SECOND_PERSON = 'a recipient must be confirmed by a second person, independent of the one who proposed it';

type Changed = { readonly before: Beneficiary | null; readonly after: Beneficiary };

async function record(tx: Tx, action: string, operator: Operator, { before, after }: Changed): Promise<void> {
  const stateOf = ({ status, label, revokeReason }: Beneficiary) => ({
    status,
    label,
    ...(revokeReason === null ? {} : { reason: revokeReason }),
  });
  await appendAudit(tx, {
    operator: operator.login,
    action,
    subjectId: after.beneficiaryRef,
    partnerId: after.partnerId,
    before: before === null ? null : stateOf(before),
    after: stateOf(after),
  });
}

/** All recipients agreed with a partner. */
export async function readBeneficiaries(reader: Reader, partnerId: PartnerId): Promise<Beneficiary[]> {
  return listBeneficiaries(reader, partnerId);
}
