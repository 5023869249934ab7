import { setTimeout as wait } from 'node:timers/promises';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { ADVISORY_LOCKS } from '../../../packages/shared/src/postgres/advisory-locks.ts';
import { sqlState } from '../../../packages/shared/src/postgres/errors.ts';
import { inTransaction, rowsOf, type Connections } from './cells.ts';
import type { Cell } from './settings.ts';
import { MOVED_SERVICES } from './tables.ts';

/** The tables whose writers ask whether the partner lives here: the triggers of `refuse_moved_partner()`. */
const GUARDED = `select string_agg(distinct format('%I', c.relname), ', ') as tables from pg_trigger t
  join pg_class c on c.oid = t.tgrelid where t.tgname like '%\\_of\\_this\\_cell' and c.relnamespace = current_schema()::regnamespace`;
/** Others' writes wait so long at most, once, for those that were running before. */
const LOCK_MS = 500;
const TRIES_MAX = 60;
const LOCK_NOT_AVAILABLE = '55P03';
/** Who acts, in the audit logs of both cells. */
export const PLATFORM = 'platform';

type NewHome = Pick<Cell, 'name' | 'checkoutUrl'>;

/**
 * From here on the cell changes nothing of a partner: whoever was writing has ended, and whoever comes later is refused by the
 * database. Its partner is suspended, and signed out of the portal. Safe to repeat.
 */
export async function refuseChanges(cell: Connections, partnerId: PartnerId, there: NewHome): Promise<void> {
  for (const service of MOVED_SERVICES) {
    const client = cell[service];
    const [guarded] = await rowsOf<{ tables: string }>(client, GUARDED);
    await untilLocked(() =>
      inTransaction(client, async () => {
        await client.query(`set local lock_timeout = ${String(LOCK_MS)}`);
        if (service === 'gateway') await suspend(client, partnerId, there.name);
        await client.query(`lock table ${guarded?.tables ?? ''} in share row exclusive mode`);
        await client.query('insert into moved_partners (partner_id, cell, checkout_url) values ($1, $2, $3) on conflict do nothing', [
          partnerId,
          there.name,
          there.checkoutUrl,
        ]);
      }),
    );
  }
}

async function suspend(client: Connections['gateway'], partnerId: PartnerId, there: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock($1)`, [ADVISORY_LOCKS.changePartners]);
  const { rowCount } = await client.query(
    `update partners set status = 'SUSPENDED', revision = nextval('partner_revision'), updated_at = clock_now()
     where partner_id = $1 and status = 'ACTIVE'`,
    [partnerId],
  );
  if (rowCount === 0) return;
  await client.query('delete from portal_sessions where partner_id = $1', [partnerId]);
  await client.query(`insert into operator_audit (operator, action, partner_id, detail) values ($1, 'partner.suspended', $2, $3)`, [
    PLATFORM,
    partnerId,
    `moves to ${there}`,
  ]);
}

/** Takes `refuseChanges` back. Safe to repeat. */
export async function allowChanges(cell: Connections, partnerId: PartnerId): Promise<void> {
  for (const service of MOVED_SERVICES) {
    const client = cell[service];
    await inTransaction(client, async () => {
      const { rowCount } = await client.query('delete from moved_partners where partner_id = $1', [partnerId]);
      if (service !== 'gateway' || rowCount === 0) return;
      await client.query(`select pg_advisory_xact_lock($1)`, [ADVISORY_LOCKS.changePartners]);
      await client.query(
        `update partners set status = 'ACTIVE', revision = nextval('partner_revision'), updated_at = clock_now() where partner_id = $1`,
        [partnerId],
      );
      await client.query(`insert into operator_audit (operator, action, partner_id, detail) values ($1, 'partner.resumed', $2, 'stays')`, [
        PLATFORM,
        partnerId,
      ]);
    });
  }
}

async function untilLocked(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === TRIES_MAX || sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      await wait(LOCK_MS);
    }
  }
}
