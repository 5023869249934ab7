import { sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';

type Endpoints = {
  readonly partnerId: PartnerId;
  readonly callbackUrl: string;
  readonly extraEvents: readonly string[];
  readonly revision: number;
};

/**
 * Stores a newer address; an older or repeated message changes nothing. A new address has a clean record: attempts to
 * it begin at once.
 */
export async function saveEndpoints(tx: Tx, { partnerId, callbackUrl, extraEvents, revision }: Endpoints): Promise<void> {
  const extra = sql`array(select jsonb_array_elements_text(${JSON.stringify(extraEvents)}::jsonb))`;
  await tx.execute(sql`
    insert into receivers as r (partner_id, callback_url, extra_events, endpoints_revision)
    values (${partnerId}, ${callbackUrl}, ${extra}, ${revision})
    on conflict (partner_id) do update set
      callback_url = excluded.callback_url,
      extra_events = excluded.extra_events,
      endpoints_revision = excluded.endpoints_revision,
      failures_in_a_row = case when r.callback_url = excluded.callback_url then r.failures_in_a_row else 0 end,
      failing_since = case when r.callback_url = excluded.callback_url then r.failing_since end,
      dead_since = case when r.callback_url = excluded.callback_url then r.dead_since end,
      slow_until = case when r.callback_url = excluded.callback_url then r.slow_until end,
      paused_until = case when r.callback_url = excluded.callback_url then r.paused_until end
    where r.endpoints_revision < excluded.endpoints_revision`);
}

/** Whether the partner's address is known here. */
export async function hasEndpoints(reader: Reader, partnerId: PartnerId): Promise<boolean> {
  const rows = await selectRows(reader, sql`select 1 from receivers where partner_id = ${partnerId} and callback_url is not null`);
  return rows.length > 0;
}

/** Whether the partner has an address and once had a secret: before that, an event made due would wait and not be sent. */
export async function findIsConfigured(reader: Reader, partnerId: PartnerId): Promise<boolean> {
  const rows = await selectRows(reader, sql`select 1 from receivers where partner_id = ${partnerId} and configured_at is not null`);
  return rows.length > 0;
}

/** An open rotation: the partner may fetch a new secret. Says how long the old one continues to sign. */
type Rotation = { readonly overlapSeconds: number };

/** Locks the partner's row, so that two calls cannot both issue a secret. `rotation` is undefined if none is open. */
export async function lockReceiver(tx: Tx, partnerId: PartnerId): Promise<{ rotation: Rotation | undefined } | undefined> {
  const { rows } = await tx.execute<{ open: boolean; overlap: number | null }>(sql`
    select rotation_opened_at is not null as open, rotation_overlap_seconds as overlap
    from receivers where partner_id = ${partnerId} for update`);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { rotation: row.open ? { overlapSeconds: row.overlap ?? 0 } : undefined };
}

/** Lets the partner fetch a new secret. Replaces an open rotation. */
export async function openRotation(tx: Tx, partnerId: PartnerId, overlapSeconds: number): Promise<void> {
  await tx.execute(sql`update receivers
    set rotation_opened_at = clock_now(), rotation_overlap_seconds = ${overlapSeconds} where partner_id = ${partnerId}`);
}

/** Records that a secret was issued: an open rotation is over, and after the first secret events are sent. */
export async function noteSecret(tx: Tx, partnerId: PartnerId): Promise<void> {
  await tx.execute(sql`update receivers set rotation_opened_at = null, rotation_overlap_seconds = null,
    configured_at = coalesce(configured_at, clock_now()) where partner_id = ${partnerId}`);
}

/** A partner's receiver as operators see it. */
export type ReceiverOverview = {
  readonly partnerId: PartnerId;
  readonly callbackUrl: string | null;
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  readonly deadSince: Date | null;
  readonly isSlow: boolean;
  readonly refusingSince: Date | null;
  readonly rotationOpenedAt: Date | null;
  readonly hasSigningKey: boolean;
  /** Payments and bindings with something left to send; counted up to 10,000. */
  readonly waiting: number;
};

/** Ordered by id, starting after `after`; one partner if `partnerId` is given. */
export async function listReceivers(
  reader: Reader,
  { partnerId, after, limit }: { partnerId?: PartnerId | undefined; after?: string | undefined; limit: number },
): Promise<ReceiverOverview[]> {
  const rows = await selectRows<ReceiverOverviewRow>(
    reader,
    sql`
    select r.partner_id, r.callback_url, r.failures_in_a_row, r.failing_since, r.dead_since, r.refusing_since,
      r.rotation_opened_at, coalesce(r.slow_until > clock_now(), false) as is_slow,
      exists(select from callback_keys k where k.partner_id = r.partner_id
        and (k.expires_at is null or k.expires_at > clock_now())) as has_signing_key,
      (select count(*)::int from (select from aggregates a
        where a.partner_id = r.partner_id and a.due_at is not null limit 10000) as capped) as waiting
    from receivers r
    where r.partner_id > ${after ?? ''} and (${partnerId ?? null}::text is null or r.partner_id = ${partnerId ?? null})
    order by r.partner_id limit ${limit}`,
  );
  const moment = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    partnerId: row.partner_id,
    callbackUrl: row.callback_url,
    failuresInARow: row.failures_in_a_row,
    failingSince: moment(row.failing_since),
    deadSince: moment(row.dead_since),
    isSlow: row.is_slow,
    refusingSince: moment(row.refusing_since),
    rotationOpenedAt: moment(row.rotation_opened_at),
    hasSigningKey: row.has_signing_key,
    waiting: row.waiting,
  }));
}

type ReceiverOverviewRow = {
  partner_id: string;
  callback_url: string | null;
  failures_in_a_row: number;
  failing_since: string | null;
  dead_since: string | null;
  refusing_since: string | null;
  rotation_opened_at: string | null;
  is_slow: boolean;
  has_signing_key: boolean;
  waiting: number;
};
