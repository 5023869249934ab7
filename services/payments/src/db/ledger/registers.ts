import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { DueDay } from '@pay/shared/registers/close-days.ts';
import { isInPart, matchesRegister, type RegisterFilter } from '@pay/shared/registers/register-rows.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Register, RegisterLine } from '../../domain/ledger/register.ts';
import { registerLines, registers } from './register-schema.ts';

/** A partner's days begin with their first store. */
export const DAYS_START = sql`select partner_id, min(created_at) as since from stores group by partner_id`;

/**
 * Every transaction that books has ended this long after it took an entry's position: its statements and its waits between
 * them are bounded by seconds (`LIMITS_MS`).
 */
const BOOKED_WITHIN = sql`interval '1 hour'`;

/** Entries are found by index, however many there are: statistics would have a join read the whole ledger. */
const PLAN_BY_INDEXES = sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`;

/**
 * Closes a day in one statement, and so in one snapshot: takes every booking from before the end of the day that is in
 * no register yet. That includes a booking that was committed after its own day had been closed; it keeps its time. A booking is found
 * by the partner's entry or, if the fee took the whole amount, by its fee entry alone. Entries that an earlier register settled are
 * passed over: those up to the newest one that was visible an hour before it, but none from the first on that it left for a later day.
 */
export async function insertRegister(tx: Tx, registerId: string, { partnerId, day }: DueDay): Promise<Register> {
  await tx.execute(PLAN_BY_INDEXES);
  await tx.execute(sql`
    with last as materialized (
      select r.closing_kopecks, r.settled_position from registers r where r.partner_id = ${partnerId} order by r.day desc limit 1
    ), opening as (
      select coalesce((select closing_kopecks from last), 0) as kopecks
    ), settled as materialized (
      select coalesce((select settled_position from last), 0) as position
    ), mine as (
      select e.ledger_transaction_id from ledger_entries e where e.account = 'PARTNER_PAYABLE' and e.owner = ${partnerId}
        and e.position > (select position from settled)
      union
      select e.ledger_transaction_id from payment_points p join ledger_entries e on e.account = 'FEE_INCOME' and e.owner = p.payment_point_id
        and e.position > (select position from settled) where p.partner_id = ${partnerId}
    ), unbooked as materialized (
      select t.ledger_transaction_id, t.kind, t.reference_id, t.created_at, min(e.position) as position,
        coalesce(-sum(e.amount_kopecks) filter (where e.account = 'PARTNER_PAYABLE'), 0) as net,
        coalesce(sum(e.amount_kopecks) filter (where e.account = 'FEE_INCOME'), 0) as fee
      from mine join ledger_transactions t using (ledger_transaction_id) join ledger_entries e using (ledger_transaction_id)
      where not exists (select from register_lines l where l.ledger_transaction_id = t.ledger_transaction_id)
      group by t.ledger_transaction_id
    ), booked as (
      select * from unbooked where created_at < (${day}::date + 1)::timestamp at time zone 'UTC'
    ), seen as (
      select (select max(position) from ledger_entries) as highest, least(
        (select min(position) - 1 from unbooked where created_at >= (${day}::date + 1)::timestamp at time zone 'UTC'),
        coalesce((select r.highest_position from registers r where r.partner_id = ${partnerId}
          and r.closed_at <= clock_timestamp() - ${BOOKED_WITHIN} order by r.day desc limit 1), 0)) as settled
    ), made as (
      insert into register_lines (ledger_transaction_id, register_id, line, booked_at, type, payment_id, merchant_order_id, refund_id,
        merchant_refund_id, payment_point_id, method, amount_kopecks, fee_kopecks, balance_kopecks)
      select b.ledger_transaction_id, ${registerId}::uuid, row_number() over running, b.created_at,
        case b.kind when 'PAYMENT' then case p.method when 'CARD_BINDING' then 'RECURRING_CHARGE' else 'PAYMENT' end
          when 'REFUND_REQUESTED' then 'REFUND' else b.kind end,
        p.payment_id, p.merchant_order_id, f.refund_id, f.merchant_refund_id, p.payment_point_id, p.method,
        b.net - b.fee, b.fee, opening.kopecks + sum(b.net) over running
      from booked b cross join opening
      left join refunds f on f.refund_id = b.reference_id and b.kind <> 'PAYMENT'
      left join payments p on p.payment_id = coalesce(f.payment_id, b.reference_id)
      window running as (order by b.created_at, b.position rows unbounded preceding)
      returning type, amount_kopecks, fee_kopecks
    ), sums as (
      select count(*)::int as lines, coalesce(sum(fee_kopecks), 0) as fees,
        coalesce(sum(amount_kopecks) filter (where type = 'PAYMENT'), 0) as payments,
        coalesce(sum(amount_kopecks) filter (where type = 'RECURRING_CHARGE'), 0) as charges,
        coalesce(sum(amount_kopecks) filter (where type in ('REFUND', 'REFUND_FAILED')), 0) as refunds
      from made
    )
    insert into registers (register_id, partner_id, day, opening_kopecks, payments_kopecks, charges_kopecks, refunds_kopecks,
      fees_kopecks, closing_kopecks, line_count, closed_at, highest_position, settled_position)
    select ${registerId}::uuid, ${partnerId}::text, ${day}::date, o.kopecks, s.payments, s.charges, s.refunds, s.fees,
      o.kopecks + s.payments + s.charges + s.refunds + s.fees, s.lines, clock_timestamp(), seen.highest, seen.settled
    from opening o cross join sums s cross join seen`);
  return onlyRow(await tx.select().from(registers).where(eq(registers.registerId, registerId)));
}

/** Registers, newest day first. */
export async function listRegisters(reader: Reader, filter: RegisterFilter, limit: number): Promise<Register[]> {
  const matching = reader.select().from(registers).where(matchesRegister(registers, filter));
  return matching.orderBy(desc(registers.day)).limit(limit);
}

export async function findRegister(reader: Reader, partnerId: PartnerId, day: string): Promise<Register | undefined> {
  const [row] = await reader
    .select()
    .from(registers)
    .where(and(eq(registers.partnerId, partnerId), eq(registers.day, day)));
  return row;
}

/** The lines of one part; parts are numbered from 1. */
export async function listRegisterLines(reader: Reader, registerId: string, part: number): Promise<RegisterLine[]> {
  const found = reader
    .select()
    .from(registerLines)
    .where(isInPart(registerLines, registerId, part));
  return found.orderBy(asc(registerLines.line));
}
