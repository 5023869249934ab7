import { sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/database/database.ts';

/** Why a buyer cannot be forgotten yet; undefined when nothing is in the way. */
export async function hasUnfinished(
  reader: Reader,
  partnerId: string,
  customerId: string,
): Promise<string | undefined> {
  const { rows } = await reader.execute<{ payments: boolean; refunds: boolean; cards: boolean }>(sql`
    with of_buyer as (select * from payments where partner_id = ${partnerId} and customer_id = ${customerId})
    select
      exists (select from of_buyer where status in ('CREATED', 'SUBMITTED', 'PENDING') or next_read_at is not null) as payments,
      exists (select from refunds r join of_buyer using (payment_id) where r.status = 'PENDING') as refunds,
      exists (select from saved_cards where partner_id = ${partnerId} and customer_id = ${customerId}
        and revoked_at is null) as cards`);
  const [row] = rows;
  if (row?.payments === true) return 'a payment of this buyer is not finished';
  if (row?.refunds === true) return 'a refund of this buyer is not finished';
  return row?.cards === true
    ? 'a saved card of this buyer is not revoked: erase the buyer of its binding first'
    : undefined;
}

type Buyer = { readonly partnerId: string; readonly customerId: string; readonly pseudonym: string };

/** Removes what says who a buyer is. docs/security/data-inventory.md says what stays, and why. */
export async function eraseBuyerRows(
  tx: Tx,
  { partnerId, customerId, pseudonym }: Buyer,
): Promise<{ payments: number; savedCards: number }> {
  const cards = await tx.execute(
    sql`delete from saved_cards where partner_id = ${partnerId} and customer_id = ${customerId}`,
  );
  await tx.execute(sql`update refunds set reason = null
    where payment_id in (select payment_id from payments where partner_id = ${partnerId} and customer_id = ${customerId})`);
  const payments = await tx.execute(sql`update payments set customer_id = ${pseudonym}, description = 'erased',
      return_url = null, card_mask = null, card_expiry = null, acs_url = null, acs_request = null, updated_at = clock_now()
    where partner_id = ${partnerId} and customer_id = ${customerId}`);
  return { payments: payments.rowCount ?? 0, savedCards: cards.rowCount ?? 0 };
}
