import type { Db, Reader } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { appendAudit, listAudit, type AuditRow } from '../db/audit-log.ts';
import {
  findKeys,
  findPartner,
  insertPartner,
  listPartners,
  lockPartner,
  nextRevision,
  updatePartner,
  type PartnerKeyRow,
  type PartnerRow,
} from '../db/partners.ts';
import { deletePartnerSessions } from '../db/portal-sessions.ts';

export type PartnerWithKeys = { readonly partner: PartnerRow; readonly keys: readonly PartnerKeyRow[] };
type RateLimit = { readonly ratePerSecond: number; readonly burst: number };
/** Without a rate limit it gets the default of the table. */
type NewPartner = {
  readonly partnerId: PartnerId;
  readonly name: string;
  readonly ratePerSecond?: number | undefined;
  readonly burst?: number | undefined;
};

const AUDIT_LIMIT = 100;

/**
 * Creates a partner. It cannot call anything until one of its keys is active. @throws ApiError 400 if the id is taken
 */
export async function createPartner(db: Db, operator: OperatorLogin, given: NewPartner): Promise<PartnerWithKeys> {
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    if (!(await insertPartner(tx, { ...given, status: 'ACTIVE', revision }))) {
      throw new ApiError('VALIDATION_FAILED', { details: [{ field: 'partnerID', message: 'is taken' }] });
    }
    await appendAudit(tx, { operator, action: 'partner.created', partnerId: given.partnerId });
    return readPartner(tx, given.partnerId);
  });
}

/** Suspends a partner, so that none of its calls pass and its sessions of the portal end, or activates it again. */
export async function setPartnerStatus(
  db: Db,
  operator: OperatorLogin,
  partnerId: PartnerId,
  status: PartnerRow['status'],
): Promise<PartnerWithKeys> {
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    const partner = await lockPartner(tx, partnerId);
    if (partner === undefined) throw new ApiError('NOT_FOUND');
    if (partner.status !== status) {
      await updatePartner(tx, partnerId, { status, revision });
      if (status === 'SUSPENDED') await deletePartnerSessions(tx, partnerId);
      await appendAudit(tx, {
        operator,
        action: status === 'ACTIVE' ? 'partner.resumed' : 'partner.suspended',
        partnerId,
      });
    }
    return readPartner(tx, partnerId);
  });
}

/** Changes a partner's rate limit. */
export async function setRateLimit(db: Db, operator: OperatorLogin, partnerId: PartnerId, limit: RateLimit): Promise<PartnerWithKeys> {
  return inTransaction(db, async (tx) => {
    const revision = await nextRevision(tx);
    const partner = await lockPartner(tx, partnerId);
    if (partner === undefined) throw new ApiError('NOT_FOUND');
    await updatePartner(tx, partnerId, { ...limit, revision });
    const detail = `${rate(partner)} -> ${rate(limit)}`;
    await appendAudit(tx, { operator, action: 'partner.rate_limit_changed', partnerId, detail });
    return readPartner(tx, partnerId);
  });
}

/** @throws ApiError 404 */
export async function readPartner(reader: Reader, partnerId: PartnerId): Promise<PartnerWithKeys> {
  const partner = await findPartner(reader, partnerId);
  if (partner === undefined) throw new ApiError('NOT_FOUND');
  return { partner, keys: await findKeys(reader, partnerId) };
}

/** A page of partners, ordered by id. */
export async function readPartners(reader: Reader, after: string, limit: number): Promise<PartnerWithKeys[]> {
  const { partners, keys } = await listPartners(reader, after, limit);
  const keysOf = Map.groupBy(keys, (key) => key.partnerId);
  return partners.map((partner) => ({ partner, keys: keysOf.get(partner.partnerId) ?? [] }));
}

/** What operators did to a partner, newest first. @throws ApiError 404 */
export async function readAudit(reader: Reader, partnerId: PartnerId): Promise<AuditRow[]> {
  if ((await findPartner(reader, partnerId)) === undefined) throw new ApiError('NOT_FOUND');
  return listAudit(reader, partnerId, AUDIT_LIMIT);
}

function rate({ ratePerSecond, burst }: RateLimit): string {
  return `${String(ratePerSecond)}/s, burst ${String(burst)}`;
}
