import { sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';

/** Why a buyer cannot be erased yet; undefined if nothing prevents it. */
export async function hasUnfinished(reader: Reader, buyer: Omit<Buyer, 'pseudonym'>): Promise<string | undefined> {
  const rows = await selectRows<Record<string, boolean>>(
    reader,
    sql`
    with of_buyer as (select * from payments where ${isBuyers(buyer)})
    select
      exists (select from of_buyer where status in ('CREATED', 'SUBMITTED', 'PENDING') or next_read_at is not null) as payments,
      exists (select from refunds r join of_buyer using (payment_id) where r.status = 'PENDING') as refunds,
      exists (select from saved_cards where ${isBuyers(buyer)} and revoked_at is null) as cards,
      exists (select from proposals p join of_buyer on p.subject_id = payment_id::text
        where p.kind = 'REFUND' and p.status = 'PROPOSED' and p.expires_at > clock_now()) as proposals,
      exists (select from outbox o join of_buyer on o.aggregate_id = payment_id::text) as facts`,
  );
  const [row] = rows;
  return Object.entries(UNFINISHED).find(([what]) => row?.[what] === true)?.[1];
}

const UNFINISHED: Readonly<Record<string, string>> = {
  payments: 'a payment of this buyer is not finished',
  refunds: 'a refund of this buyer is not finished',
  cards: 'a saved card of this buyer is not revoked: erase the buyer of its binding first',
  proposals: 'a refund of this buyer waits for a second person: have it confirmed or rejected first',
  facts: 'what happened to a payment of this buyer is not told yet: try again in a minute',
};

type Buyer = {
  readonly partnerId: PartnerId;
  /** Empty if the payment does not know its buyer (a QR code): then only this payment is erased. */
  readonly customerId: string;
  readonly paymentId: string;
  readonly pseudonym: string;
};

const isBuyers = ({ partnerId, customerId, paymentId }: Omit<Buyer, 'pseudonym'>) =>
  sql`partner_id = ${partnerId} and customer_id = ${customerId} and (customer_id <> '' or payment_id = ${paymentId})`;

/** The receipt without the buyer and the names of the items. Prices and taxes stay as evidence. */
const WITHOUT_BUYER = sql`jsonb_set(receipt - 'email' - 'phone', '{items}',
  (select jsonb_agg(item || '{"name": "erased"}' order by at) from jsonb_array_elements(receipt -> 'items') with ordinality as items (item, at)))`;

/** Removes everything that identifies a buyer. docs/security/data-inventory.md says what stays, and why. */
export async function eraseBuyerRows(tx: Tx, buyer: Buyer): Promise<{ payments: number; savedCards: number }> {
  const { pseudonym } = buyer;
  await tx.execute(sql`delete from letters where payment_id in (select payment_id from payments where ${isBuyers(buyer)})`);
  const cards = await tx.execute(sql`delete from saved_cards where ${isBuyers(buyer)}`);
  const ofBuyer = sql`select payment_id from payments where ${isBuyers(buyer)}`;
  await tx.execute(sql`update refunds set reason = null, receipt = ${WITHOUT_BUYER} where payment_id in (${ofBuyer})`);
  await tx.execute(sql`update proposals set asked = asked - 'reason'
    where kind = 'REFUND' and subject_id in (select payment_id::text from (${ofBuyer}) as b)`);
  await tx.execute(sql`update proposals set asked = asked #- '{order,customerID}'
    where kind = 'BOOK' and asked #>> '{order,customerID}' = ${buyer.customerId} and asked #>> '{order,paymentPointID}' in
      (select payment_point_id from payment_points where partner_id = ${buyer.partnerId})`);
  await tx.execute(sql`update declined_cards set card_mask = null where payment_id in (${ofBuyer})`);
  await tx.execute(sql`update exceptions set note = 'erased' where note is not null and payment_id in (${ofBuyer})`);
  // Published facts are kept for a week, in case they are published again: without the buyer's identity.
  await tx.execute(sql`update published set payload = payload - 'address' - 'userAgent'
      || case when payload ? 'customerId' then jsonb_build_object('customerId', ${pseudonym}::text) else '{}' end
      || case when payload ? 'savedCard' then jsonb_build_object('savedCard', (payload -> 'savedCard') - 'cardMask' - 'cardExpiry'
        || jsonb_build_object('customerId', ${pseudonym}::text)) else '{}' end
    where aggregate_id in (select payment_id::text from (${ofBuyer}) as b)
      and (payload ? 'customerId' or payload ? 'savedCard')`);
  const payments = await tx.execute(sql`update payments set customer_id = ${pseudonym}, description = 'erased', receipt = ${WITHOUT_BUYER},
      return_url = null, card_mask = null, card_expiry = null, acs_url = null, acs_request = null, payer_key_sha256 = null, updated_at = clock_now()
    where ${isBuyers(buyer)}`);
  return { payments: payments.rowCount ?? 0, savedCards: cards.rowCount ?? 0 };
}
