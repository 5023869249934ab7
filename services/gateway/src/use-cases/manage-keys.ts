import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { appendAudit } from '../db/audit-log.ts';
import {
  findPartner,
  insertKey,
  lockKey,
  nextRevision,
  updateKey,
  updatePartner,
  type PartnerKeyRow,
} from '../db/partners.ts';
import { decideActivation, decideRevocation } from '../domain/key-status.ts';
import { checkPublicKey } from './check-public-key.ts';

/**
 * Registers a key; it is not active yet. A public key can be registered only once: the signed text does not name the
 * partner.
 * @throws ApiError 404; 400 for a key that is unsafe, or already registered for this partner or another
 */
export async function registerKey(
  db: Db,
  operator: OperatorLogin,
  partnerId: PartnerId,
  line: string,
): Promise<PartnerKeyRow> {
  const key = checkPublicKey(line);
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    if ((await findPartner(tx, partnerId)) === undefined) throw new ApiError('NOT_FOUND');
    const keyId = randomUUID();
    const inserted = await insertKey(tx, { keyId, partnerId, ...key, status: 'REGISTERED', registeredBy: operator });
    if (!inserted) throw invalidField('publicKey', 'is already registered');
    await updatePartner(tx, partnerId, { revision });
    await appendAudit(tx, { operator, action: 'key.registered', partnerId, keyId, detail: key.fingerprint });
    return lockedKey(tx, partnerId, keyId);
  });
}

/**
 * Activates a key.
 * @throws ApiError 404; 403 for the operator who registered it; 400 for a revoked key
 */
export async function activateKey(
  db: Db,
  operator: OperatorLogin,
  partnerId: PartnerId,
  keyId: string,
): Promise<PartnerKeyRow> {
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    const key = await lockedKey(tx, partnerId, keyId);
    const decision = decideActivation(key, operator);
    switch (decision.kind) {
      case 'refuse':
        throw decision.reason === 'same-operator'
          ? new ApiError('FORBIDDEN', {
              text: 'a key must be activated by a different operator from the one who registered it',
            })
          : invalidField('keyId', 'is revoked');
      case 'repeat':
        return key;
      case 'move':
        await updateKey(tx, keyId, { status: decision.to, activatedBy: operator, activatedAt: await clock(tx) });
        await updatePartner(tx, partnerId, { revision });
        await appendAudit(tx, { operator, action: 'key.activated', partnerId, keyId, detail: key.fingerprint });
        return lockedKey(tx, partnerId, keyId);
    }
  });
}

/** Revokes a key for good. @throws ApiError 404 */
export async function revokeKey(
  db: Db,
  operator: OperatorLogin,
  partnerId: PartnerId,
  keyId: string,
): Promise<PartnerKeyRow> {
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    const key = await lockedKey(tx, partnerId, keyId);
    const decision = decideRevocation(key);
    if (decision.kind !== 'move') return key;
    await updateKey(tx, keyId, { status: decision.to, revokedBy: operator, revokedAt: await clock(tx) });
    await updatePartner(tx, partnerId, { revision });
    await appendAudit(tx, { operator, action: 'key.revoked', partnerId, keyId, detail: key.fingerprint });
    return lockedKey(tx, partnerId, keyId);
  });
}

async function lockedKey(tx: Tx, partnerId: PartnerId, keyId: string): Promise<PartnerKeyRow> {
  const key = await lockKey(tx, partnerId, keyId);
  if (key === undefined) throw new ApiError('NOT_FOUND');
  return key;
}
