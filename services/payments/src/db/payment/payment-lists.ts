import { and, desc, eq, getTableColumns, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '@pay/contract/states.ts';
import { following, sortedBy } from '@pay/shared/http/list-order.ts';
import { comparePlaces, type ListPosition } from '@pay/shared/http/list-page.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { LOOKED_AT_MAX, lookThrough } from '@pay/shared/postgres/look-through.ts';
import type { Payment } from './payments.ts';
import { payments } from './schema.ts';

/** Filters for the QR payments of a point. */
export type QrHistoryFilter = {
  readonly partnerId: PartnerId;
  readonly paymentPointId: string;
  /** The earliest `createdAt`, inclusive. */
  readonly from: Date | undefined;
  /** The latest `createdAt`, exclusive. */
  readonly to: Date | undefined;
  readonly status: PaymentStatus | undefined;
};

/** A page of the QR payments of a point, newest first, beginning after `after`. */
export function listQrPayments(
  reader: Reader,
  { partnerId, paymentPointId, ...time }: QrHistoryFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<PaymentPage> {
  // Written as in the indexes, so that the planner uses them.
  const ofPoint = and(eq(payments.paymentPointId, paymentPointId), sql`method = 'SBP_DYNAMIC_QR'`);
  return pageOf(reader, { along: and(ofPoint, isWanted(time)), among: eq(payments.partnerId, partnerId) }, after, limit);
}

/** Filters for the card payments and charges of a partner. */
export type CardListFilter = {
  readonly partnerId: PartnerId;
  readonly merchantOrderId: string | undefined;
  readonly customerId: string | undefined;
  readonly paymentPointId: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly status: PaymentStatus | undefined;
};

/** A page of the card payments and charges of a partner, newest first, beginning after `after`. */
export function listCardPayments(
  reader: Reader,
  { partnerId, merchantOrderId, customerId, paymentPointId, status, ...time }: CardListFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<PaymentPage> {
  const isCard = sql`method <> 'SBP_DYNAMIC_QR'`;
  const has = {
    order: merchantOrderId === undefined ? undefined : and(eq(payments.merchantOrderId, merchantOrderId), sql`merchant_order_id <> ''`),
    buyer: customerId === undefined ? undefined : eq(payments.customerId, customerId),
    point: paymentPointId === undefined ? undefined : eq(payments.paymentPointId, paymentPointId),
    status: status === undefined ? undefined : eq(payments.status, status),
  };
  // Along the index of a filter, that which fewest payments pass; what it does not have is looked for among its payments.
  const [first, ...others] = [has.order, has.buyer, has.status, has.point].filter((filter) => filter !== undefined);
  const ofPartner = eq(payments.partnerId, partnerId);
  const known =
    first === has.point && first !== undefined ? [] : first === undefined || first === has.status ? [ofPartner, isCard] : [ofPartner];
  const unknown = [ofPartner, isCard].filter((filter) => !known.includes(filter));
  return pageOf(reader, { along: and(first, ...known, isWanted(time)), among: and(...others, ...unknown) }, after, limit);
}

/** A page, and where the next one begins; undefined on the last. */
export type PaymentPage = { readonly items: readonly Payment[]; readonly next: ListPosition | undefined };

/**
 * The payments `along` an index in its order, of which a bounded number is looked at for those that are wanted. Only what the
 * index has is read along it: then it is cheaper than the order of all payments, in which a partner's may be far down.
 */
async function pageOf(
  reader: Reader,
  { along, among }: { readonly along: SQL | undefined; readonly among: SQL | undefined },
  after: ListPosition | undefined,
  limit: number,
): Promise<PaymentPage> {
  const places = (count: number) =>
    reader
      .select(SORTED)
      .from(payments)
      .where(and(along, following(SORTED, 'newest', after)))
      .orderBy(...sortedBy(SORTED, 'newest'))
      .limit(count);
  return lookThrough<Payment, ListPosition>(
    {
      page: (count) => {
        const looked = places(among === undefined ? count : LOOKED_AT_MAX).as('looked');
        const row = reader.select().from(payments).where(eq(payments.paymentId, looked.id)).limit(1).as('payments');
        return reader
          .select(getTableColumns(payments))
          .from(looked)
          .crossJoinLateral(row)
          .where(among)
          .orderBy(desc(looked.createdAt), desc(looked.id))
          .limit(count);
      },
      placeOf: ({ createdAt, paymentId }) => ({ createdAt, id: paymentId }),
      lastLookedAt: async () => (among === undefined ? undefined : (await places(1).offset(LOOKED_AT_MAX - 1)).at(0)),
      isLater: (place, than) => comparePlaces(place, than) < 0,
    },
    limit,
  );
}

const SORTED = { createdAt: payments.createdAt, id: payments.paymentId };

function isWanted({ from, to, status }: Partial<Pick<CardListFilter, 'from' | 'to' | 'status'>>): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(payments.createdAt, from),
    to === undefined ? undefined : lt(payments.createdAt, to),
    status === undefined ? undefined : eq(payments.status, status),
  );
}
