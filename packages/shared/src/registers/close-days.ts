import { sql, type SQL } from 'drizzle-orm';
import type { PartnerId } from '../identities/identities.ts';
import type { Db, Reader, Tx } from '../postgres/db.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { selectRows } from '../postgres/select-rows.ts';
import type { Log } from '../logging/logger.ts';
import { appendToOutbox, type Message } from '../outbox/outbox.ts';
import type { Loop } from '../time/loop.ts';
import { CLOSING_MINUTES } from './register.ts';

const INTERVAL_MS = 10_000;
/** Days closed per round. */
const BATCH = 100;

type Deps = { readonly db: Db; readonly log: Log };

/** A partner's day that has ended and has no register yet. */
export type DueDay = { readonly partnerId: PartnerId; readonly day: string };

/** How a ledger's owner closes one of its days, in its table `registers`. */
export type LedgerDays = {
  /** A query: each `partner_id` of the ledger with `since`, the moment when its days begin. */
  readonly starts: SQL;
  /** Creates the register of a day with its lines, and returns the fact that announces it. */
  readonly close: (tx: Tx, due: DueDay) => Promise<Message>;
};

/**
 * Creates the register of each partner's day once it has ended: exactly once, on any replica. See
 * decisions/daily-registers.
 */
export function closeDaysLoop(deps: Deps, ledger: LedgerDays): Loop {
  return {
    name: 'registers',
    intervalMs: INTERVAL_MS,
    round: async (stopping) => ((await closeDays(deps, ledger, stopping)) === BATCH ? 'more' : 'done'),
  };
}

/**
 * Closes due days, oldest first, up to a hundred; returns their number. A partner whose day can't be closed does not
 * hold up others.
 */
export async function closeDays(deps: Deps, ledger: LedgerDays, stopping?: AbortSignal): Promise<number> {
  const skipped: string[] = [];
  let closed = 0;
  while (closed < BATCH && stopping?.aborted !== true) {
    const outcome = await closeOneDay(deps, ledger, skipped);
    if (outcome === 'none') break;
    if (outcome === 'closed') closed += 1;
    else skipped.push(outcome.partnerId);
  }
  return closed;
}

/** `none` if nothing is due or another replica is closing days; the day if it could not be closed, which was logged. */
async function closeOneDay(deps: Deps, ledger: LedgerDays, skipped: readonly string[]): Promise<'closed' | 'none' | DueDay> {
  const tried: DueDay[] = [];
  try {
    return await inTransaction(deps.db, async (tx) => {
      if (!(await takeClosingTurn(tx))) return 'none';
      const due = await findDueDay(tx, ledger.starts, skipped);
      if (due === undefined) return 'none';
      tried.push(due);
      await appendToOutbox(tx, await ledger.close(tx, due));
      return 'closed';
    });
  } catch (err) {
    const [due] = tried;
    if (due === undefined) throw err;
    deps.log.error('a day could not be closed', { ...due, err });
    return due;
  }
}

/** Whether this transaction may close days: only one does at a time, over all replicas. */
async function takeClosingTurn(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext(current_schema()), hashtext('registers')) as mine`,
  );
  return rows[0]?.mine === true;
}

/** The oldest day to close, starting with a partner's first; excluding the partners in `skipped`, and those who live in another cell. */
async function findDueDay(reader: Reader, starts: SQL, skipped: readonly string[]): Promise<DueDay | undefined> {
  const rows = await selectRows<{ partner_id: string; day: string }>(
    reader,
    sql`
    select s.partner_id, to_char(due.day, 'YYYY-MM-DD') as day
    from (${starts}) s
    cross join lateral (select coalesce(
      (select max(r.day) + 1 from registers r where r.partner_id = s.partner_id),
      (s.since at time zone 'UTC')::date) as day) due
    where due.day < ((clock_now() - make_interval(mins => ${CLOSING_MINUTES})) at time zone 'UTC')::date
      and not exists (select from moved_partners m where m.partner_id = s.partner_id)
      and s.partner_id not in (select jsonb_array_elements_text(${JSON.stringify(skipped)}::jsonb))
    order by due.day, s.partner_id limit 1`,
  );
  const [row] = rows;
  return row === undefined ? undefined : { partnerId: row.partner_id, day: row.day };
}
