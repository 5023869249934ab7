import { sql } from 'drizzle-orm';
import type { Db } from '../postgres/db.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { VerifiedIdentity } from './operator-identity.ts';

/** How many ended ones a use takes away: more than it adds, so the table holds what half a minute brings. */
const SWEPT_MAX = 100;

/**
 * Uses an identity up, for all replicas of this service. False if it was used before: somebody repeats an act. The row stays
 * until the identity is refused as old, by a clock that is a minute off, too.
 */
export async function useIdentity(db: Db, { identityId, endsAtSeconds }: VerifiedIdentity): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      with ended as (
        delete from used_identities where identity_id in (
          select identity_id from used_identities where ends_at < clock_timestamp() - interval '1 minute'
          limit ${SWEPT_MAX} for update skip locked))
      insert into used_identities (identity_id, ends_at) values (${identityId}, to_timestamp(${endsAtSeconds}::float8))
      on conflict do nothing`);
    return rowCount === 1;
  });
}
