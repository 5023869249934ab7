import type { AuditRow } from '../db/audit-log.ts';
import type { PartnerKeyRow } from '../db/partners.ts';
import type { PartnerWithKeys } from '../use-cases/manage-partners.ts';

/** A partner as operators see it. */
export function renderPartner({ partner, keys }: PartnerWithKeys): Record<string, unknown> {
  const { partnerId, name, status, ratePerSecond, burst, createdAt, updatedAt } = partner;
  return { partnerID: partnerId, name, status, ratePerSecond, burst, createdAt, updatedAt, keys: keys.map(renderKey) };
}

/** A key as operators see it. `publicKey` is the exact text that requests must send. */
export function renderKey(key: PartnerKeyRow): Record<string, unknown> {
  const { keyId, publicKey, comment, fingerprint, status } = key;
  const { registeredBy, registeredAt, activatedBy, activatedAt, revokedBy, revokedAt } = key;
  const people = { registeredBy, registeredAt, activatedBy, activatedAt, revokedBy, revokedAt };
  return { keyId, publicKey, comment, fingerprint, status, ...people };
}

/** An audit entry as operators see it. */
export function renderAudit({ at, operator, action, keyId, detail }: AuditRow): Record<string, unknown> {
  return { at, operator, action, keyId, detail };
}
