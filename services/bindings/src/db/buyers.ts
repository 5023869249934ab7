import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Binding } from './bindings.ts';
import { bindings } from './schema.ts';

/** Locks all bindings of a partner's buyer until the transaction ends. */
export async function lockBuyersBindings(tx: Tx, partnerId: PartnerId, customerId: string): Promise<Binding[]> {
  return tx
    .select()
    .from(bindings)
    .where(and(eq(bindings.partnerId, partnerId), eq(bindings.customerId, customerId)))
    .orderBy(asc(bindings.bindingId))
    .for('update');
}

/**
 * Whether a message about a partner's buyer waits in the dead letters. Handled and unverified ones are deleted first.
 * Messages are JSON as our services write it.
 */
export async function clearDeadLetters(tx: Tx, partnerId: PartnerId, customerId: string): Promise<boolean> {
  const says = (name: string, value: string) =>
    sql`position(convert_to(${JSON.stringify({ [name]: value }).slice(1, -1)}, 'UTF8') in body) > 0`;
  const isBuyers = sql`${says('partnerId', partnerId)} and ${says('customerId', customerId)}`;
  await tx.execute(sql`delete from dead_letters where (status = 'REDRIVEN' or refused) and ${isBuyers}`);
  const { rows } = await tx.execute(sql`select from dead_letters where ${isBuyers} limit 1`);
  return rows.length > 0;
}

type Buyer = { readonly partnerId: PartnerId; readonly customerId: string; readonly pseudonym: string };

/** As payments stores it: what was sold for how much is kept; the buyer and the items' names are not. */
const WITHOUT_BUYER = sql`jsonb_set(receipt - 'email' - 'phone', '{items}',
  (select jsonb_agg(item || '{"name": "erased"}' order by at) from jsonb_array_elements(receipt -> 'items') with ordinality as items (item, at)))`;

/** Removes what identifies a buyer. docs/security/data-inventory.md lists what stays, and why. */
export async function eraseBuyerRows(tx: Tx, { partnerId, customerId, pseudonym }: Buyer): Promise<{ bindings: number; consents: number }> {
  const isBuyers = sql`partner_id = ${partnerId} and customer_id = ${customerId}`;
  await tx.execute(sql`update charges set description = 'erased', receipt = ${WITHOUT_BUYER}, updated_at = clock_now()
    where binding_id in (select binding_id from bindings where ${isBuyers})`);
  // Published facts about them are kept for a week so that they can be republished: without the buyer's identity.
  await tx.execute(sql`update published set payload = payload || jsonb_build_object('customerId', ${pseudonym}::text)
    where aggregate_id in (select binding_id::text from bindings where ${isBuyers})`);
  const { rows } = await tx.execute<{ consents: number }>(
    sql`select erase_consents(${partnerId}, ${customerId}, ${pseudonym}) as consents`,
  );
  const erased = await tx.execute(sql`update bindings set customer_id = ${pseudonym}, card_mask = null,
    card_expiry = null, updated_at = clock_now() where ${isBuyers}`);
  return { bindings: erased.rowCount ?? 0, consents: rows[0]?.consents ?? 0 };
}
