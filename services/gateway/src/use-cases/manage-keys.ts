import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { appendAudit } from '../db/audit-log.ts';
import { findKeys, findPartner, insertKey, lockKey, nextRevision, updateKey, updatePartner, type PartnerKeyRow } from '../db/partners.ts';
import { decideActivation, decideRevocation } from '../domain/key-status.ts';
import { checkPublicKey } from './check-public-key.ts';

/**
 * Registers a key; it is not active yet. A public key can be registered only once: the signed text does not name the
 * partner.
 * @throws ApiError 404; 400 for a key that is unsafe, or already registered for this partner or another
 */
export async function registerKey(db: Db, operator: OperatorLogin, partnerId: PartnerId, line: string): Promise<PartnerKeyRow> {
  const key = checkPublicKey(line);
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    if ((await findPartner(tx, partnerId)) === undefined) throw new ApiError('NOT_FOUND');
    return insertRegistered(tx, { operator, partnerId, key, revision });
  });
}

/** A partner needs two while it changes them, and a few for its servers. */
export const OWN_KEYS_MAX = 10;

/**
 * Registers a key for the partner that is signed in to the portal. An operator activates it after comparing the fingerprint:
 * the partner is the first of two people, and never the second.
 * @throws ApiError 400 as `registerKey`, and above ten keys that are not revoked
 */
export async function registerOwnKey(db: Db, partnerId: PartnerId, line: string): Promise<PartnerKeyRow> {
  const key = checkPublicKey(line);
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    const usable = (await findKeys(tx, partnerId)).filter(({ status }) => status !== 'REVOKED');
    if (usable.length >= OWN_KEYS_MAX) throw invalidField('publicKey', 'is one key too many: revoke another one first');
    return insertRegistered(tx, { operator: partnerActor(partnerId), partnerId, key, revision });
  });
}

/** Who acts in the audit log when it is the partner itself. No operator's login has a colon. */
const partnerActor = (partnerId: PartnerId): string => `partner:${partnerId}`;

type Registered = {
  readonly operator: OperatorLogin;
  readonly partnerId: PartnerId;
  readonly key: ReturnType<typeof checkPublicKey>;
  readonly revision: number;
};

async function insertRegistered(tx: Tx, { operator, partnerId, key, revision }: Registered): Promise<PartnerKeyRow> {
  const keyId = randomUUID();
  const inserted = await insertKey(tx, { keyId, partnerId, ...key, status: 'REGISTERED', registeredBy: operator });
  if (!inserted) throw invalidField('publicKey', 'is already registered');
  await updatePartner(tx, partnerId, { revision });
  await appendAudit(tx, { operator, action: 'key.registered', partnerId, keyId, detail: key.fingerprint });
  return lockedKey(tx, partnerId, keyId);
}

/**
 * Activates a key.
 * @throws ApiError 404; 403 for the operator who registered it; 400 for a revoked key
 */
export async function activateKey(db: Db, operator: OperatorLogin, partnerId: PartnerId, keyId: string): Promise<PartnerKeyRow> {
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
export async function revokeKey(db: Db, operator: OperatorLogin, partnerId: PartnerId, keyId: string): Promise<PartnerKeyRow> {
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    return revoke(tx, { operator, key: await lockedKey(tx, partnerId, keyId), revision });
  });
}

/**
 * Revokes a key for the partner that is signed in to the portal, but never the only active one: without it nothing of the
 * partner works until people have activated another key, and whoever stole a session could bring that about. See
 * decisions/portal-sessions.
 * @throws ApiError 404; 400 for the only active key
 */
export async function revokeOwnKey(db: Db, partnerId: PartnerId, keyId: string): Promise<PartnerKeyRow> {
  return inTransaction(db, async (tx) => {
    // Changes of keys wait for each other here: two that count the active keys at once do not both go through.
    const revision = await nextRevision(tx);
    const key = await lockedKey(tx, partnerId, keyId);
    const active = (await findKeys(tx, partnerId)).filter(({ status }) => status === 'ACTIVE');
    if (active.length === 1 && active[0]?.keyId === keyId)
      throw invalidField('keyId', 'is your only active key: ask us to activate another one first, or to revoke this one');
    return revoke(tx, { operator: partnerActor(partnerId), key, revision });
  });
}

type Revoked = { readonly operator: OperatorLogin; readonly key: PartnerKeyRow; readonly revision: number };

async function revoke(tx: Tx, { operator, key, revision }: Revoked): Promise<PartnerKeyRow> {
  const { partnerId, keyId } = key;
  const decision = decideRevocation(key);
  if (decision.kind !== 'move') return key;
  await updateKey(tx, keyId, { status: decision.to, revokedBy: operator, revokedAt: await clock(tx) });
  await updatePartner(tx, partnerId, { revision });
  await appendAudit(tx, { operator, action: 'key.revoked', partnerId, keyId, detail: key.fingerprint });
  return lockedKey(tx, partnerId, keyId);
}

async function lockedKey(tx: Tx, partnerId: PartnerId, keyId: string): Promise<PartnerKeyRow> {
  const key = await lockKey(tx, partnerId, keyId);
  if (key === undefined) throw new ApiError('NOT_FOUND');
  return key;
}
