import { ADVISORY_LOCKS } from '@pay/shared/postgres/advisory-locks.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { partnerKeys, partners } from './schema.ts';

export type PartnerRow = typeof partners.$inferSelect;
export type PartnerKeyRow = typeof partnerKeys.$inferSelect;

/** Partners read per query; the rest follows in the next round. */
const BATCH = 1_000;

/** Partners changed after revision `after`, oldest change first, with all their keys. */
export async function findChangedPartners(reader: Reader, after: number): Promise<{ partners: PartnerRow[]; keys: PartnerKeyRow[] }> {
  const changed = await reader.select().from(partners).where(gt(partners.revision, after)).orderBy(asc(partners.revision)).limit(BATCH);
  if (changed.length === 0) return { partners: [], keys: [] };
  const ids = changed.map((partner) => partner.partnerId);
  return {
    partners: changed,
    keys: await reader.select().from(partnerKeys).where(inArray(partnerKeys.partnerId, ids)),
  };
}

/** Partners with changes after `after` that have not been reported to payments yet, oldest change first. */
export async function findUnpublishedPartners(
  reader: Reader,
  after: number,
  limit: number,
): Promise<Pick<PartnerRow, 'partnerId' | 'status' | 'revision'>[]> {
  const { partnerId, status, revision, toldRevision } = partners;
  return reader
    .select({ partnerId, status, revision })
    .from(partners)
    .where(and(gt(revision, toldRevision), gt(revision, after)))
    .orderBy(asc(revision))
    .limit(limit);
}

/** Records that payments knows the partner as of this revision. */
export async function markPublished(tx: Tx, partnerId: PartnerId, revision: number): Promise<void> {
  await tx
    .update(partners)
    .set({ toldRevision: revision })
    .where(and(eq(partners.partnerId, partnerId), lt(partners.toldRevision, revision)));
}

/**
 * The database's real clock in milliseconds. Not `clock_now()`: moving the TEST clock must not affect request
 * timestamps.
 */
export async function readDatabaseMilliseconds(reader: Reader): Promise<number> {
  const rows = await selectRows<{ milliseconds: string }>(
    reader,
    sql`select trunc(extract(epoch from clock_timestamp()) * 1000)::bigint as milliseconds`,
  );
  return Number(rows[0]?.milliseconds);
}

/**
 * The number of this change. Changes are serialised: a reader that has seen number n has seen every change before it,
 * because none of them can commit later.
 */
export async function nextRevision(tx: Tx): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.changePartners})`);
  const { rows } = await tx.execute<{ revision: string }>(sql`select nextval('partner_revision') as revision`);
  return Number(onlyRow(rows).revision);
}

/** Returns false if the partner already exists. */
export async function insertPartner(tx: Tx, partner: typeof partners.$inferInsert): Promise<boolean> {
  return (await tx.insert(partners).values(partner).onConflictDoNothing().returning({ id: partners.partnerId })).length === 1;
}

export async function updatePartner(
  tx: Tx,
  partnerId: PartnerId,
  change: Partial<Pick<PartnerRow, 'status' | 'ratePerSecond' | 'burst'>> & { revision: number },
): Promise<void> {
  await tx
    .update(partners)
    .set({ ...change, updatedAt: sql`clock_now()` })
    .where(eq(partners.partnerId, partnerId));
}

/** Returns false if this public key is already registered, for this partner or another. */
export async function insertKey(tx: Tx, key: typeof partnerKeys.$inferInsert): Promise<boolean> {
  return (await tx.insert(partnerKeys).values(key).onConflictDoNothing().returning({ id: partnerKeys.keyId })).length === 1;
}

export async function findPartner(reader: Reader, partnerId: PartnerId): Promise<PartnerRow | undefined> {
  const [row] = await reader.select().from(partners).where(eq(partners.partnerId, partnerId));
  return row;
}

export async function findKeyByText(reader: Reader, publicKey: string): Promise<PartnerKeyRow | undefined> {
  const [row] = await reader.select().from(partnerKeys).where(eq(partnerKeys.publicKey, publicKey));
  return row;
}

/** Partners after `after` in the order of their ids, with their keys. */
export async function listPartners(
  reader: Reader,
  after: string,
  limit: number,
): Promise<{ partners: PartnerRow[]; keys: PartnerKeyRow[] }> {
  const rows = await reader.select().from(partners).where(gt(partners.partnerId, after)).orderBy(asc(partners.partnerId)).limit(limit);
  const ids = rows.map((row) => row.partnerId);
  return { partners: rows, keys: ids.length === 0 ? [] : await selectKeys(reader, ids) };
}

/** The keys of one partner, in order of registration. */
export function findKeys(reader: Reader, partnerId: PartnerId): Promise<PartnerKeyRow[]> {
  return selectKeys(reader, [partnerId]);
}

function selectKeys(reader: Reader, partnerIds: readonly string[]): Promise<PartnerKeyRow[]> {
  return reader
    .select()
    .from(partnerKeys)
    .where(inArray(partnerKeys.partnerId, [...partnerIds]))
    .orderBy(asc(partnerKeys.registeredAt), asc(partnerKeys.keyId));
}

/** Locks a key of this partner until the transaction ends. */
export async function lockKey(tx: Tx, partnerId: PartnerId, keyId: string): Promise<PartnerKeyRow | undefined> {
  const [row] = await tx
    .select()
    .from(partnerKeys)
    .where(and(eq(partnerKeys.keyId, keyId), eq(partnerKeys.partnerId, partnerId)))
    .for('update');
  return row;
}

/** Locks a partner until the transaction ends. */
export async function lockPartner(tx: Tx, partnerId: PartnerId): Promise<PartnerRow | undefined> {
  const [row] = await tx.select().from(partners).where(eq(partners.partnerId, partnerId)).for('update');
  return row;
}

export async function updateKey(
  tx: Tx,
  keyId: string,
  change: Pick<PartnerKeyRow, 'status'> & Partial<Pick<PartnerKeyRow, 'activatedBy' | 'activatedAt' | 'revokedBy' | 'revokedAt'>>,
): Promise<void> {
  await tx.update(partnerKeys).set(change).where(eq(partnerKeys.keyId, keyId));
}
