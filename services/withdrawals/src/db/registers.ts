import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { DueDay } from '@pay/shared/registers/close-days.ts';
import { isInPart, matchesRegister, type RegisterFilter } from '@pay/shared/registers/register-rows.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Register, RegisterLine } from '../domain/register.ts';
import { registerLines, registers } from './register-schema.ts';

/** A partner's days begin with its first confirmed funding: no booking comes before it. */
export const DAYS_START = sql`select s.partner_id, min(f.decided_at) as since from fundings f join stores s using (store_id)
  where f.status = 'CONFIRMED' group by s.partner_id`;

/**
 * Makes the register of a day in one statement, and so from one snapshot: every booking before the day's end that is in
 * no register yet. Bookings that committed after an earlier day was closed are included, with their original time. How
 * a reserve ended is read from the request, which ended with it.
 */
export async function insertRegister(tx: Tx, registerId: string, { partnerId, day }: DueDay): Promise<Register> {
  await tx.execute(sql`
    with opening as (
      select coalesce(max(last.closing_available_micro_usdt), 0) as available, coalesce(max(last.closing_reserved_micro_usdt), 0) as reserved
      from (select * from registers r where r.partner_id = ${partnerId} order by r.day desc limit 1) last
    ), booked as (
      select t.ledger_transaction_id, t.kind, t.reference_id, t.created_at, e.store_id, min(e.position) as position,
        sum(e.amount_micro_usdt) filter (where e.amount_micro_usdt > 0) as amount,
        coalesce(sum(e.amount_micro_usdt) filter (where e.account = 'AVAILABLE'), 0) as available,
        coalesce(sum(e.amount_micro_usdt) filter (where e.account = 'RESERVED'), 0) as reserved
      from stores s join ledger_entries e using (store_id) join ledger_transactions t using (ledger_transaction_id)
      where s.partner_id = ${partnerId} and t.created_at < (${day}::date + 1)::timestamp at time zone 'UTC'
        and not exists (select from register_lines l where l.ledger_transaction_id = t.ledger_transaction_id)
      group by t.ledger_transaction_id, e.store_id
    ), made as (
      insert into register_lines (ledger_transaction_id, register_id, line, booked_at, type, store_id, withdrawal_request_id, funding_id,
        beneficiary_ref, transfer_reference, amount_micro_usdt, available_change_micro_usdt, reserved_change_micro_usdt,
        available_micro_usdt, reserved_micro_usdt)
      select b.ledger_transaction_id, ${registerId}::uuid, row_number() over running, b.created_at,
        case b.kind when 'FUNDED' then 'FUNDING' when 'RESERVED' then 'WITHDRAWAL_REQUESTED' else 'WITHDRAWAL_' || w.status end,
        b.store_id, w.withdrawal_request_id, case b.kind when 'FUNDED' then b.reference_id end,
        w.beneficiary_ref, case b.kind when 'PAID' then w.transfer_reference end,
        b.amount, b.available, b.reserved,
        opening.available + sum(b.available) over running, opening.reserved + sum(b.reserved) over running
      from booked b cross join opening
      left join withdrawals w on w.withdrawal_request_id = b.reference_id and b.kind <> 'FUNDED'
      window running as (order by b.created_at, b.position rows unbounded preceding)
      returning type, amount_micro_usdt
    ), sums as (
      select count(*)::int as lines,
        coalesce(sum(amount_micro_usdt) filter (where type = 'FUNDING'), 0) as funded,
        coalesce(sum(amount_micro_usdt) filter (where type = 'WITHDRAWAL_REQUESTED'), 0) as requested,
        coalesce(sum(amount_micro_usdt) filter (where type in ('WITHDRAWAL_REJECTED', 'WITHDRAWAL_CANCELLED', 'WITHDRAWAL_FAILED')), 0) as released,
        coalesce(sum(amount_micro_usdt) filter (where type = 'WITHDRAWAL_COMPLETED'), 0) as completed
      from made
    )
    insert into registers (register_id, partner_id, day, opening_available_micro_usdt, opening_reserved_micro_usdt, funded_micro_usdt,
      requested_micro_usdt, released_micro_usdt, completed_micro_usdt, closing_available_micro_usdt, closing_reserved_micro_usdt, line_count)
    select ${registerId}::uuid, ${partnerId}::text, ${day}::date, o.available, o.reserved, s.funded, s.requested, s.released, s.completed,
      o.available + s.funded - s.requested + s.released, o.reserved + s.requested - s.released - s.completed, s.lines
    from opening o cross join sums s`);
  return onlyRow(await tx.select().from(registers).where(eq(registers.registerId, registerId)));
}

/** Newest day first. */
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

/** The lines of a part; parts are counted from 1. */
export async function listRegisterLines(reader: Reader, registerId: string, part: number): Promise<RegisterLine[]> {
  const found = reader
    .select()
    .from(registerLines)
    .where(isInPart(registerLines, registerId, part));
  return found.orderBy(asc(registerLines.line));
}
