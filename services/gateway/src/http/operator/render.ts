import type { Partner, PartnerAuditLogEntry, PartnerKey } from '@pay/contract/operator/partners.ts';
import type { AuditRow } from '../../db/audit-log.ts';
import type { PartnerKeyRow } from '../../db/partners.ts';
import type { PartnerWithKeys } from '../../use-cases/manage-partners.ts';

/** A partner as operators see it. */
export function renderPartner({ partner, keys }: PartnerWithKeys): Partner {
  return {
    partnerID: partner.partnerId,
    name: partner.name,
    status: partner.status,
    ratePerSecond: partner.ratePerSecond,
    burst: partner.burst,
    createdAt: partner.createdAt.toISOString(),
    updatedAt: partner.updatedAt.toISOString(),
    keys: keys.map(renderKey),
  };
}

/** A key as operators see it. `publicKey` is the exact text that requests must send. */
export function renderKey(key: PartnerKeyRow): PartnerKey {
  return {
    keyId: key.keyId,
    publicKey: key.publicKey,
    comment: key.comment,
    fingerprint: key.fingerprint,
    status: key.status,
    registeredBy: key.registeredBy,
    registeredAt: key.registeredAt.toISOString(),
    activatedBy: key.activatedBy,
    activatedAt: key.activatedAt?.toISOString() ?? null,
    revokedBy: key.revokedBy,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}

/** An entry of the audit log as operators see it. */
export function renderAudit({ at, operator, action, keyId, detail }: AuditRow): PartnerAuditLogEntry {
  return { at: at.toISOString(), operator, action, keyId, detail };
}
