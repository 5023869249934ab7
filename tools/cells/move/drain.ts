import { FACTS as FACT_ROUTES } from '../../../packages/contract/src/facts.ts';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { numberOf, rowsOf, type Connections } from './cells.ts';
import type { MovedService } from './tables.ts';

const PAYMENTS = 'select p.payment_id from payments p where p.partner_id = $1';

/** What ends by itself: a query that counts, and what it counts. */
const OPEN: readonly (readonly [MovedService, string, string])[] = [
  [
    'payments',
    `select count(*) from payments where partner_id = $1
      and (status in ('CREATED', 'SUBMITTED', 'PENDING') or next_read_at is not null or lease_until > clock_now())`,
    'payments are open',
  ],
  [
    'payments',
    `select count(*) from refunds where partner_id = $1 and (status = 'PENDING' or next_read_at is not null)`,
    'refunds are open',
  ],
  [
    'payments',
    `select count(*) from money_returns where payment_id in (${PAYMENTS}) and (status = 'PENDING' or next_attempt_at is not null)`,
    'returns of money are open',
  ],
  ['bindings', `select count(*) from charges where partner_id = $1 and status in ('CREATED', 'SUBMITTED', 'PENDING')`, 'charges are open'],
  ['bindings', 'select count(*) from bindings where partner_id = $1 and open_payment_id is not null', 'saved cards are being charged'],
  ['notifier', 'select count(*) from aggregates where partner_id = $1 and leased_until > clock_timestamp()', 'callbacks are being sent'],
];

/** What of a partner has not ended yet, a phrase each. With none, its rows do not change by themselves. */
export async function openOf(cell: Connections, partnerId: PartnerId): Promise<string[]> {
  const found: string[] = [];
  for (const [service, sql, what] of OPEN) {
    const count = await numberOf(cell[service], sql, [partnerId]);
    if (count > 0) found.push(`${String(count)} ${what}`);
  }
  const unknown = await notReceived(cell, partnerId);
  if (unknown > 0) found.push(`${String(unknown)} facts are on their way between services`);
  return found;
}

/** Facts that somebody consumes: every one published lately has had its effect there. What was lost before is an alert's business. */
const LATELY = `clock_now() - interval '1 hour'`;
const FACTS = Object.entries(FACT_ROUTES).map(([type, { consumers }]) => ({
  type,
  consumers: new Set<string>(consumers),
}));
const PRODUCERS = ['payments', 'bindings', 'withdrawals'] as const;

async function notReceived(cell: Connections, partnerId: PartnerId): Promise<number> {
  let count = 0;
  for (const producer of PRODUCERS) {
    const facts = await rowsOf<{ message_id: string; type: string }>(
      cell[producer],
      `select message_id, type from outbox where payload->>'partnerId' = $1
       union all select message_id, type from published where occurred_at > ${LATELY} and payload->>'partnerId' = $1`,
      [partnerId],
    );
    for (const consumer of ['bindings', 'withdrawals', 'notifier'] as const) {
      const theirs = facts.filter(({ type }) => FACTS.some((fact) => fact.type === type && fact.consumers.has(consumer)));
      count += await numberOf(
        cell[consumer],
        'select count(*) from unnest($1::uuid[]) as g (id) where not exists (select from inbox i where i.message_id = g.id)',
        [theirs.map(({ message_id: id }) => id)],
      );
    }
  }
  return count;
}
