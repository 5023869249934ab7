import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { statusesBefore, type BindingStatus } from '../domain/binding-status.ts';
import type { Schedule } from '../domain/charge-period.ts';
import { bindings } from './schema.ts';

/** A binding as it is stored. */
export type Binding = Readonly<typeof bindings.$inferSelect>;

const touched = { updatedAt: sql`clock_now()` };

/** Stores a new binding; undefined when it is there already. */
export async function insertBinding(tx: Tx, binding: typeof bindings.$inferInsert): Promise<Binding | undefined> {
  const [row] = await tx.insert(bindings).values(binding).onConflictDoNothing().returning();
  return row;
}

/** A partner's binding. Another partner's is not there. */
export async function findBinding(
  reader: Reader,
  partnerId: PartnerId,
  bindingId: string,
): Promise<Binding | undefined> {
  const [row] = await reader.select().from(bindings).where(isPartners(partnerId, bindingId));
  return row;
}

/** A binding of whichever partner: for operators. */
export async function findAnyBinding(reader: Reader, bindingId: string): Promise<Binding | undefined> {
  const [row] = await reader.select().from(bindings).where(eq(bindings.bindingId, bindingId));
  return row;
}

/** A partner's binding, held until the transaction ends. */
export async function lockPartnerBinding(
  tx: Tx,
  partnerId: PartnerId,
  bindingId: string,
): Promise<Binding | undefined> {
  const [row] = await tx.select().from(bindings).where(isPartners(partnerId, bindingId)).for('update');
  return row;
}

/** The binding, held until the transaction ends. The first lock of every transaction that takes several. */
export async function lockBinding(tx: Tx, bindingId: string): Promise<Binding | undefined> {
  const [row] = await tx.select().from(bindings).where(eq(bindings.bindingId, bindingId)).for('update');
  return row;
}

const isPartners = (partnerId: PartnerId, bindingId: string) =>
  and(eq(bindings.bindingId, bindingId), eq(bindings.partnerId, partnerId));

/** Revokes, with the next version for the event; undefined when there is nothing to revoke (any more). */
export async function revokeActive(tx: Tx, partnerId: PartnerId, bindingId: string): Promise<Binding | undefined> {
  const [row] = await tx
    .update(bindings)
    .set({
      status: 'REVOKED',
      revokedAt: sql`clock_now()`,
      aggregateVersion: sql`${bindings.aggregateVersion} + 1`,
      ...touched,
    })
    .where(and(isPartners(partnerId, bindingId), inArray(bindings.status, statusesBefore('REVOKED'))))
    .returning();
  return row;
}

/** Moves a binding whose card's last month is over, by the database's clock, to EXPIRED; undefined when it is not to be. */
export async function expireBinding(tx: Tx, bindingId: string): Promise<Binding | undefined> {
  const [row] = await tx
    .update(bindings)
    .set({ status: 'EXPIRED', aggregateVersion: sql`${bindings.aggregateVersion} + 1`, ...touched })
    .where(
      and(
        eq(bindings.bindingId, bindingId),
        inArray(bindings.status, statusesBefore('EXPIRED')),
        sql`not ${cardIsGood()}`,
      ),
    )
    .returning();
  return row;
}

/** Whether the card's expiry month is not over (UTC), or not known. */
export const cardIsGood = (): SQL =>
  sql`(${bindings.cardExpiry} is null or ${bindings.cardExpiry} >= to_char(clock_now() at time zone 'UTC', 'YYYY-MM'))`;

/** Frees the slot of a locked binding; a success moves its schedule. */
export async function freeSlot(tx: Tx, bindingId: string, schedule: Schedule | undefined): Promise<void> {
  await tx
    .update(bindings)
    .set({ openPaymentId: null, ...schedule, ...touched })
    .where(eq(bindings.bindingId, bindingId));
}

/** What chooses bindings of a partner. */
export type BindingFilter = {
  readonly partnerId: PartnerId;
  readonly customerId: string;
  readonly status: BindingStatus | undefined;
};

/** The newest first, from behind `after` on. */
export async function listBindings(
  reader: Reader,
  { partnerId, customerId, status }: BindingFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<Binding[]> {
  return reader
    .select()
    .from(bindings)
    .where(
      and(
        eq(bindings.partnerId, partnerId),
        eq(bindings.customerId, customerId),
        status === undefined ? undefined : eq(bindings.status, status),
        after === undefined ? undefined : isOlder(after),
      ),
    )
    .orderBy(desc(bindings.createdAt), desc(bindings.bindingId))
    .limit(limit);
}

function isOlder({ createdAt, id }: ListPosition): SQL {
  return sql`(${bindings.createdAt}, ${bindings.bindingId}) < (${createdAt.toISOString()}::timestamptz, ${id}::uuid)`;
}
