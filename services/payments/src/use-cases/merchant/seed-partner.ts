import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { StoreCreated } from '@pay/contract/messages.ts';
import { SANDBOX_BANK } from '../../acquirers/connectors.ts';
import { insertPoint, insertRoute, insertStore } from '../../db/merchant/payment-points.ts';

type SeededPartner = {
  readonly partnerID: string;
  readonly storeID: string;
  readonly storeName: string;
  /** See spec/decisions#merchant-capture. */
  readonly merchantConsent: boolean;
  readonly paymentPoints: { readonly card: string; readonly qr: string };
};

/** 2.5 %, so that fees show in the ledger. */
const FEE_BASIS_POINTS = 250;

/** Gives a partner of a TEST installation a store, a card point and a QR point. Existing ones stay as they are. */
export async function seedPartner(db: Db, partner: SeededPartner): Promise<void> {
  const { partnerID: partnerId, storeID: storeId, storeName: name, merchantConsent, paymentPoints } = partner;
  await inTransaction(db, async (tx) => {
    await insertRoute(tx, { routeId: SANDBOX_BANK, connector: SANDBOX_BANK });
    if (await insertStore(tx, { storeId, partnerId, name, merchantConsent })) {
      const payload: StoreCreated = { storeId, partnerId, name };
      await appendToOutbox(tx, { type: 'store.created', aggregateId: storeId, occurredAt: await clock(tx), payload });
    }
    const point = { storeId, partnerId, routeId: SANDBOX_BANK, feeBasisPoints: FEE_BASIS_POINTS };
    await insertPoint(tx, {
      ...point,
      paymentPointId: paymentPoints.card,
      name: `${name}: cards`,
      paymentMethods: ['CARD'],
    });
    await insertPoint(tx, {
      ...point,
      paymentPointId: paymentPoints.qr,
      name: `${name}: QR`,
      paymentMethods: ['SBP_DYNAMIC_QR'],
    });
  });
}
