import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Db, Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import { inOneRoundTrip } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { requestLog } from './schema.ts';

/** A request of a partner, and its answer. */
export type LoggedRequest = typeof requestLog.$inferSelect;
export type NewLoggedRequest = Omit<LoggedRequest, 'position' | 'at'>;

/** How long a request is kept, and how many of one partner: nobody's requests push out another's. */
const KEPT_HOURS = 24;
export const KEPT_MAX = 10_000;
/** Of those that name the partner's key without its signature, which anybody may send: what a developer looks at. */
export const UNVERIFIED_MAX = 200;
/** Rows deleted per statement. */
const SWEEP_BATCH = 5_000;

/** One text, however many they are: otherwise each size of a batch would be built, and planned on each connection. */
const insert = compiledRaw(
  ['requests'],
  ({ requests }) => sql`
insert into request_log (partner_id, request_id, method, path, status, duration_ms, code, error, details, is_verified)
select "partnerId", "requestId", method, path, status, "durationMs", code, error, details, "isVerified"
from jsonb_to_recordset(${requests}::jsonb) as given (
  "partnerId" text, "requestId" uuid, method text, path text, status int, "durationMs" float8, code text, error text,
  details jsonb, "isVerified" boolean)`,
);

/** Stores requests in their order. The statement is its own transaction (CONTRIBUTING, rule 5). */
export async function insertRequests(db: Db, requests: readonly NewLoggedRequest[]): Promise<void> {
  await inOneRoundTrip(db, [insert({ requests: JSON.stringify(requests) })]);
}

/** A partner's requests, newest first, before a position: those that it signed, or those that only name its key. */
export function listRequests(
  reader: Reader,
  { partnerId, isVerified }: Pick<LoggedRequest, 'partnerId' | 'isVerified'>,
  before: bigint | undefined,
  limit: number,
): Promise<LoggedRequest[]> {
  return reader
    .select()
    .from(requestLog)
    .where(
      and(
        eq(requestLog.partnerId, partnerId),
        eq(requestLog.isVerified, isVerified),
        before === undefined ? undefined : lt(requestLog.position, before),
      ),
    )
    .orderBy(desc(requestLog.position))
    .limit(limit);
}

/** The position of each partner's newest request that it signed. */
export async function newestRequests(reader: Reader, partnerIds: readonly PartnerId[]): Promise<ReadonlyMap<PartnerId, bigint>> {
  const rows = await selectRows<{ partner_id: PartnerId; position: string }>(
    reader,
    sql`select asked.partner_id, newest.position from unnest(${sql.param(partnerIds)}::text[]) as asked (partner_id)
      cross join lateral (select request_log.position from request_log where request_log.partner_id = asked.partner_id
        and request_log.is_verified order by request_log.position desc limit 1) as newest`,
  );
  return new Map(rows.map((row) => [row.partner_id, BigInt(row.position)]));
}

/** A partner's signed requests with positions above `after`, up to and including `upTo`, in their order. */
export function nextRequests(
  reader: Reader,
  partnerId: PartnerId,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  limit: number,
): Promise<LoggedRequest[]> {
  return reader
    .select()
    .from(requestLog)
    .where(
      and(
        eq(requestLog.partnerId, partnerId),
        eq(requestLog.isVerified, true),
        gt(requestLog.position, after),
        lte(requestLog.position, upTo),
      ),
    )
    .orderBy(requestLog.position)
    .limit(limit);
}

/** Deletes one batch of what is too old or too many of its partner. Whether more may be left. */
export async function sweepRequests(tx: Tx): Promise<boolean> {
  const beyond = (isVerified: boolean, max: number) => sql`
    select over.position from partners cross join lateral (select request_log.position from request_log
      where request_log.partner_id = partners.partner_id and request_log.is_verified = ${isVerified}
      order by request_log.position desc offset ${max} limit ${SWEEP_BATCH}) as over`;
  const { rowCount } = await tx.execute(sql`delete from request_log where position in (
    (select position from request_log where at < clock_now() - make_interval(hours => ${KEPT_HOURS}) limit ${SWEEP_BATCH})
    union all (${beyond(true, KEPT_MAX)}) union all (${beyond(false, UNVERIFIED_MAX)}) limit ${SWEEP_BATCH})`);
  return rowCount === SWEEP_BATCH;
}
