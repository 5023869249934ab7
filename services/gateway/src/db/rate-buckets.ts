import type pg from 'pg';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** Refills the bucket for the time that has passed and takes up to `$2` whole tokens, under the row's lock. */
const LEASE = `
update rate_buckets b set tokens = refilled.tokens - least($2::float8, floor(refilled.tokens)), refilled_at = refilled.at
from (
  select partner_id, clock_timestamp() as at,
    least($3::float8, tokens + $4::float8 * greatest(0, extract(epoch from clock_timestamp() - refilled_at)::float8)) as tokens
  from rate_buckets where partner_id = $1 for update) refilled
where b.partner_id = refilled.partner_id
returning least($2::float8, floor(refilled.tokens)) as granted`;

/** A partner's first request finds a full bucket. */
const FILL = `insert into rate_buckets (partner_id, tokens, refilled_at) values ($1, $2, clock_timestamp()) on conflict do nothing`;

type Limit = { readonly partnerId: PartnerId; readonly ratePerSecond: number; readonly burst: number };

/**
 * Takes up to `wanted` tokens from the partner's bucket, which all replicas share. However many replicas there are,
 * together they get at most burst + rate x t tokens in t seconds.
 */
export async function leaseTokens(pool: pg.Pool, limit: Limit, wanted: number): Promise<number> {
  const { partnerId, ratePerSecond, burst } = limit;
  const values = [partnerId, wanted, burst, ratePerSecond];
  const lease = { name: 'lease-tokens', text: LEASE, values };
  const first = await pool.query<{ granted: number }>(lease);
  if (first.rows[0] !== undefined) return first.rows[0].granted;
  await pool.query(FILL, [partnerId, burst]);
  const second = await pool.query<{ granted: number }>(lease);
  return second.rows[0]?.granted ?? 0;
}
