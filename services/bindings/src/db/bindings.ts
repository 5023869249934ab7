import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledRead } from '@pay/shared/postgres/fast/compiled.ts';
import { following, sortedBy } from '@pay/shared/http/list-order.ts';
import { comparePlaces, type ListPosition } from '@pay/shared/http/list-page.ts';
import { LOOKED_AT_MAX, lookThrough } from '@pay/shared/postgres/look-through.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { statusesBefore, type BindingStatus } from '../domain/binding-status.ts';
import type { Schedule } from '../domain/charge-period.ts';
import { bindings } from './schema.ts';

/** A binding as it is stored. */
export type Binding = Readonly<typeof bindings.$inferSelect>;

/** Changes with each change of the row: the guard of what was decided on a read of it (decisions/round-trips). */
export const rowVersion = sql<string>`${bindings}.xmin::text`;

const touched = { updatedAt: sql`clock_now()` };

/** Stores a new binding; undefined if it already exists. */
export async function insertBinding(tx: Tx, binding: typeof bindings.$inferInsert): Promise<Binding | undefined> {
  const [row] = await tx.insert(bindings).values(binding).onConflictDoNothing().returning();
  return row;
}

/** Finds a binding owned by this partner; undefined if it belongs to another. */
export async function findBinding(reader: Reader, partnerId: PartnerId, bindingId: string): Promise<Binding | undefined> {
  const [row] = await partnersBinding(reader, { partnerId, bindingId });
  return row;
}

const partnersBinding = compiledRead(
  { partnerId: bindings.partnerId, bindingId: bindings.bindingId },
  ({ partnerId, bindingId }, builder) => builder.select().from(bindings).where(isPartners(partnerId, bindingId)),
);

/** Finds a binding of any partner. For operators. */
export async function findAnyBinding(reader: Reader, bindingId: string): Promise<Binding | undefined> {
  const [row] = await reader.select().from(bindings).where(eq(bindings.bindingId, bindingId));
  return row;
}

/** Locks a binding owned by this partner until the transaction ends. */
export async function lockPartnerBinding(tx: Tx, partnerId: PartnerId, bindingId: string): Promise<Binding | undefined> {
  const [row] = await tx.select().from(bindings).where(isPartners(partnerId, bindingId)).for('update');
  return row;
}

/** Locks the binding until the transaction ends. A transaction that takes several locks takes this one first. */
export async function lockBinding(tx: Tx, bindingId: string): Promise<Binding | undefined> {
  const [row] = await tx.select().from(bindings).where(eq(bindings.bindingId, bindingId)).for('update');
  return row;
}

const isPartners = (partnerId: PartnerId | SQL<PartnerId>, bindingId: string | SQL<string>) =>
  and(eq(bindings.bindingId, bindingId), eq(bindings.partnerId, partnerId));

/** Revokes the binding and returns it with the event's version; undefined if there is nothing (left) to revoke. */
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

/**
 * Moves a binding whose card's last month has passed, by the database's clock, to EXPIRED; undefined if it may not be
 * moved.
 */
export async function expireBinding(tx: Tx, bindingId: string): Promise<Binding | undefined> {
  const [row] = await tx
    .update(bindings)
    .set({ status: 'EXPIRED', aggregateVersion: sql`${bindings.aggregateVersion} + 1`, ...touched })
    .where(and(eq(bindings.bindingId, bindingId), inArray(bindings.status, statusesBefore('EXPIRED')), sql`not ${cardIsGood()}`))
    .returning();
  return row;
}

/** Whether the card's expiry month (UTC) has not passed or is unknown. */
export const cardIsGood = (): SQL =>
  sql`(${bindings.cardExpiry} is null or ${bindings.cardExpiry} >= to_char(clock_now() at time zone 'UTC', 'YYYY-MM'))`;

/** Frees the slot of a locked binding; a success also moves its schedule. */
export async function freeSlot(tx: Tx, bindingId: string, schedule: Schedule | undefined): Promise<void> {
  await tx
    .update(bindings)
    .set({ openPaymentId: null, ...schedule, ...touched })
    .where(eq(bindings.bindingId, bindingId));
}

/** Selects bindings of a partner. */
export type BindingFilter = {
  readonly partnerId: PartnerId;
  /** The buyer; undefined selects all of the partner's. */
  readonly customerId: string | undefined;
  readonly status: BindingStatus | undefined;
  /** The last four digits of the card. */
  readonly cardLastFour?: string | undefined;
};

/** A page, and where the next one begins; undefined on the last. */
export type BindingPage = { readonly items: readonly Binding[]; readonly next: ListPosition | undefined };

/** A page of bindings, newest first, beginning after `after`. Of one buyer's, a bounded number is looked at for those that match. */
export async function listBindings(
  reader: Reader,
  { partnerId, customerId, status, cardLastFour }: BindingFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<BindingPage> {
  const ofBuyer = customerId === undefined ? undefined : eq(bindings.customerId, customerId);
  const among = and(
    status === undefined ? undefined : eq(bindings.status, status),
    cardLastFour === undefined ? undefined : sql`right(${bindings.cardMask}, 4) = ${cardLastFour}`,
  );
  const rows = (count: number) =>
    reader
      .select()
      .from(bindings)
      .where(and(eq(bindings.partnerId, partnerId), ofBuyer, following(SORTED, 'newest', after)))
      .orderBy(...sortedBy(SORTED, 'newest'))
      .limit(count);
  return lookThrough<Binding, ListPosition>(
    {
      page: (count) => {
        if (among === undefined) return rows(count);
        const looked = rows(LOOKED_AT_MAX).as('bindings');
        return reader
          .select(getTableColumns(bindings))
          .from(looked)
          .where(among)
          .orderBy(...sortedBy(SORTED, 'newest'))
          .limit(count);
      },
      placeOf,
      lastLookedAt: async () => {
        if (among === undefined) return undefined;
        const [last] = await rows(1).offset(LOOKED_AT_MAX - 1);
        return last === undefined ? undefined : placeOf(last);
      },
      isLater: (place, than) => comparePlaces(place, than) < 0,
    },
    limit,
  );
}

const SORTED = { createdAt: bindings.createdAt, id: bindings.bindingId };
const placeOf = ({ createdAt, bindingId }: Binding): ListPosition => ({ createdAt, id: bindingId });
