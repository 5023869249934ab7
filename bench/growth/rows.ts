import type pg from 'pg';

/** Payments of the newest days, as many on both sides: a day's work is the same, only the history behind it is not. */
export const RECENT = 2_000;
const RECENT_DAYS = 2;
/** Everything else is spread over the time before. */
const HISTORY_DAYS = 365;
export const PARTNERS = 10;
const CHUNK = 50_000;

/** Names the parties of the payments that `fillPayments` and `fillNotifier` make. */
export const partnerOf = (place: number): string => `partner-${String(place)}`;
export const ROUTE = 'growth';

/**
 * A time-ordered id as services generate them: the time, and for the rest a hash of what it is for, so that rows that belong
 * together find each other without being read.
 */
const FUNCTIONS = `
  create function pg_temp.id_of(at timestamptz, what text) returns uuid immutable language sql as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(what), 1, 3) || '8'
      || substr(md5(what), 4, 15))::uuid $$`;

/**
 * The payments with numbers in `[first, end)`, of `count` in all, of which the last `RECENT` are of the newest days. Seven of ten are paid
 * by card, two by SBP and one with a saved card; 85 of a hundred are paid, three of them are refunded later, the rest ended without money.
 */
const made = (first: number, end: number, count: number): string => `
  select n, at, pg_temp.id_of(at, 'payment ' || n) as payment_id, 'partner-' || n % ${String(PARTNERS)} as partner_id,
    case when way in (7, 8) then 'qr-' else 'cards-' end || n % ${String(PARTNERS)} as point_id, 1000 + n % 100000 as amount,
    case when way in (7, 8) then 'SBP_DYNAMIC_QR' when way = 9 then 'CARD_BINDING' else 'CARD' end as method,
    case when fate < 82 then 'COMPLETED' when fate < 85 then 'REFUNDED' when fate < 94 then 'EXPIRED' when fate < 99 then 'REJECTED'
      else 'CANCELLED' end as status, fate < 85 as is_paid, fate between 82 and 84 as is_refunded
  from (select n, (hashint8(n) & 2147483647) / 100 % 10 as way, (hashint8(n) & 2147483647) % 100 as fate,
      now() - case when n < ${String(count - RECENT)} then make_interval(secs => ${String(86_400 * RECENT_DAYS)}
          + (1 - n::float8 / ${String(count - RECENT)}) * ${String(86_400 * (HISTORY_DAYS - RECENT_DAYS))})
        else make_interval(secs => (${String(count)} - n)::float8 / ${String(RECENT)} * ${String(86_400 * RECENT_DAYS)}) end as at
    from generate_series(${String(first)}::bigint, ${String(end - 1)}::bigint) as n) as drawn`;

/** What payments has of each payment. Idempotency records are kept 30 days, what was published 7. */
const PAYMENTS = [
  `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id, amount_kopecks, description,
     customer_id, fee_basis_points, status, failure_code, aggregate_version, form_token, expires_at, bank_operation_id, card_sent_at,
     card_mask, binding_id, ledger_transaction_id, refunded_kopecks, refund_reserved_kopecks, created_at, updated_at)
   select payment_id, partner_id, point_id, '${ROUTE}', method, case method when 'SBP_DYNAMIC_QR' then '' else 'order-' || n end, amount,
     'Coffee', 'buyer-' || n / 5, 250, status, case when not is_paid then 'SESSION_EXPIRED' end, case when is_refunded then 4 else 1 end,
     md5('token ' || n) || md5('form ' || n), at + interval '1 hour', 'bank-' || n, at + interval '20 s',
     case when method <> 'SBP_DYNAMIC_QR' then '411111******' || lpad((n % 10000)::text, 4, '0') end,
     case when method = 'CARD_BINDING' then md5('binding ' || n / 1000)::uuid end,
     case when is_paid then pg_temp.id_of(at, 'booking ' || n) end, case when is_refunded then amount else 0 end,
     case when is_refunded then amount else 0 end, at, at + interval '30 s' from made`,
  `insert into ledger_transactions (ledger_transaction_id, kind, reference_id, created_at)
   select pg_temp.id_of(at, 'booking ' || n), 'PAYMENT', payment_id, at + interval '30 s' from made where is_paid
   union all
   select pg_temp.id_of(at, 'refund booking ' || n || step), kind, pg_temp.id_of(at, 'refund ' || n), at + interval '1 min' from made
   cross join (values (1, 'REFUND_REQUESTED'), (2, 'REFUND')) as booked (step, kind) where is_refunded`,
  `insert into ledger_entries (ledger_transaction_id, account, owner, amount_kopecks)
   select pg_temp.id_of(at, 'booking ' || n), account, owner, kopecks from made cross join lateral (values
     ('ACQUIRER_CLEARING', '${ROUTE}', amount), ('PARTNER_PAYABLE', partner_id, amount / 40 - amount), ('FEE_INCOME', point_id, -amount / 40)
   ) as side (account, owner, kopecks) where is_paid
   union all
   select pg_temp.id_of(at, 'refund booking ' || n || step), account, owner, kopecks from made cross join lateral (values
     (1, 'PARTNER_PAYABLE', partner_id, amount), (1, 'REFUNDS_IN_FLIGHT', partner_id, -amount), (2, 'REFUNDS_IN_FLIGHT', partner_id, amount),
     (2, 'ACQUIRER_CLEARING', '${ROUTE}', -amount)) as side (step, account, owner, kopecks) where is_refunded`,
  `insert into refunds (refund_id, payment_id, partner_id, amount_kopecks, status, bank_operation_id, created_at, updated_at, completed_at)
   select pg_temp.id_of(at, 'refund ' || n), payment_id, partner_id, amount, 'COMPLETED', 'bank-refund-' || n, at + interval '1 min',
     at + interval '1 min', at + interval '1 min' from made where is_refunded`,
  `insert into register_lines (ledger_transaction_id, register_id, line, booked_at, type, payment_id, merchant_order_id, payment_point_id,
     method, amount_kopecks, fee_kopecks, balance_kopecks)
   select pg_temp.id_of(at, 'booking ' || n), md5(partner_id || (at + interval '30 s')::date)::uuid, n % 1000000000, at + interval '30 s',
     'PAYMENT', payment_id, '', point_id, method, amount, amount / -40, amount from made
   where is_paid and (at + interval '30 s')::date < now()::date
   union all
   select pg_temp.id_of(at, 'refund booking ' || n || 1), md5(partner_id || (at + interval '1 min')::date)::uuid, -(n % 1000000000),
     at + interval '1 min', 'REFUND', payment_id, '', point_id, method, -amount, 0, amount from made
   where is_refunded and (at + interval '1 min')::date < now()::date`,
  `insert into reconciliation_items (route_id, day, operation_id, run_id, result, kind, payment_id, bank_operation_id, bank_kopecks, our_kopecks)
   select '${ROUTE}', at::date, payment_id::text, md5(at::date::text)::uuid, 'MATCHED', 'PAYMENT', payment_id, 'bank-' || n, amount, amount
   from made where at < now() - interval '${String(RECENT_DAYS)} days'`,
  `insert into idempotency_records (partner_id, key, operation, body_sha256, object_id, status, created_at)
   select partner_id, md5('key ' || n), 'POST /api/card', md5('a' || n) || md5('b' || n), payment_id::text, 201, at from made
   where at > now() - interval '30 days'`,
  `insert into published (message_id, type, aggregate_id, payload, occurred_at, published_at)
   select pg_temp.id_of(at, 'message ' || n), 'payment.completed', payment_id::text, jsonb_build_object('paymentId', payment_id, 'partnerId',
     partner_id, 'aggregateVersion', 1, 'amountKopecks', amount::text, 'status', status), at, at from made
   where at > now() - interval '7 days'`,
];

/** What the notifier has of them: a payment's row for two years, events, attempts and the inbox for 30 days. */
const NOTIFIER = [
  `insert into aggregates (aggregate_id, partner_id, kind, next_version, last_version, created_at)
   select payment_id, partner_id, 'payment', 2, 1, at from made`,
  `insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, recorded_at, status, attempt_count, ended_at)
   select pg_temp.id_of(at, 'message ' || n), partner_id, 'payment.completed', payment_id, 1, convert_to(jsonb_build_object('schemaVersion', 1,
     'eventId', n, 'type', 'payment.completed', 'aggregateVersion', 1, 'data', jsonb_build_object('paymentId', payment_id,
     'merchantOrderId', 'order-' || n, 'status', status, 'amount', amount, 'currency', 'RUB'))::text, 'UTF8'), at, 'DELIVERED', 1,
     at + interval '1 s' from made where at > now() - interval '30 days' order by n`,
  `insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, status, outcome)
   select pg_temp.id_of(at, 'message ' || n), partner_id, 1, 'https://shop.example/callbacks', 'k1', at, 40, 200, 'DELIVERED' from made
   where at > now() - interval '30 days' order by n`,
  `insert into inbox (message_id, received_at) select pg_temp.id_of(at, 'message ' || n), at from made where at > now() - interval '30 days'`,
];

/** Who they belong to. The running totals are the ledger's trigger's work, which the rows of `PAYMENTS` pass by. */
const PARTIES = `
  insert into routes (route_id, connector) values ('${ROUTE}', 'sandbox-bank');
  insert into stores (store_id, partner_id, name, created_at)
    select 'store-' || n, 'partner-' || n, 'Shop', now() - interval '${String(HISTORY_DAYS)} days' from generate_series(0, ${String(PARTNERS - 1)}) n;
  insert into payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id, fee_basis_points)
    select kind || n, 'store-' || n, 'partner-' || n, 'Point', array[method], '${ROUTE}', 250
    from generate_series(0, ${String(PARTNERS - 1)}) n cross join (values ('cards-', 'CARD'), ('qr-', 'SBP_DYNAMIC_QR')) as points (kind, method)`;
const TOTALS = `
  insert into ledger_balances (account, owner, shard, balance_kopecks, entry_count)
    select account, owner, 0, sum(amount_kopecks), count(*) from ledger_entries group by account, owner;
  insert into registers (register_id, partner_id, day, opening_kopecks, payments_kopecks, charges_kopecks, refunds_kopecks, fees_kopecks,
      closing_kopecks, line_count, closed_at, highest_position, settled_position)
    select md5('partner-' || p || day::date)::uuid, 'partner-' || p, day::date, 0, 0, 0, 0, 0, 0, 1, day + interval '1 day', settled, settled
    from generate_series(0, ${String(PARTNERS - 1)}) p
    cross join generate_series(now()::date - ${String(HISTORY_DAYS)}, now()::date - 1, interval '1 day') as day
    cross join (select min(e.position) - 1 as settled from ledger_entries e join ledger_transactions t using (ledger_transaction_id)
      where t.created_at >= now()::date - 1) as newest;
  insert into reconciliations (route_id, day, run_id, status, requested_by, lease_until, started_at, completed_at, bank_kopecks, our_kopecks)
    select '${ROUTE}', day::date, md5(day::date::text)::uuid, 'COMPLETED', 'daily', day + interval '1 day', day + interval '1 day',
      day + interval '1 day', 0, 0
    from generate_series(now()::date - ${String(HISTORY_DAYS)}, now()::date - 3, interval '1 day') as day`;

/** Makes `count` payments, with all that payments has of them; `client` is an administrator, in the schema of payments. */
export async function fillPayments(client: pg.Client, count: number, say: (made: number) => void): Promise<void> {
  await client.query(PARTIES);
  await fill(client, PAYMENTS, count, say);
  await client.query(TOTALS);
  await client.query('vacuum analyze');
}

/** The same payments in the notifier, all delivered; `client` is an administrator, in its schema. */
export async function fillNotifier(client: pg.Client, count: number, say: (made: number) => void): Promise<void> {
  await fill(client, NOTIFIER, count, say);
  await client.query('vacuum analyze');
}

async function fill(client: pg.Client, inserts: readonly string[], count: number, say: (made: number) => void): Promise<void> {
  await client.query(FUNCTIONS);
  // No triggers and no foreign keys: what is made here holds together. Nothing of it needs to survive a crash.
  await client.query(`set session_replication_role = replica; set synchronous_commit = off`);
  await client.query(`set timezone = 'UTC'; set work_mem = '64MB'`);
  for (let first = 0; first < count; first += CHUNK) {
    const end = Math.min(count, first + CHUNK);
    await client.query('begin');
    await client.query(`create temp table made on commit drop as ${made(first, end, count)}`);
    for (const insert of inserts) await client.query(insert);
    await client.query('commit');
    say(end);
  }
}
