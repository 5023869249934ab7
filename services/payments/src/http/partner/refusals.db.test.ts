import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pairsOf } from '../../../../../packages/shared/test/refusals.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { SANDBOX_BANK } from '../../acquirers/connectors.ts';
import { insertPoint } from '../../db/merchant/payment-points.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** A good request of a partner with one point, before something is made wrong with it. */
type Draft = {
  readonly partner: string;
  readonly point: string;
  readonly store: string;
  readonly key: string;
  id: string;
  body: Json;
};

const both = { paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'] };
const card = (point: string): Json => ({
  paymentPointID: point,
  orderID: `order-${randomUUID()}`,
  amount: 100,
  currency: 'RUB',
  description: 'Coffee',
  customerID: 'buyer-1',
});
const create = (draft: Pick<Draft, 'partner' | 'body'>, key: string = randomUUID()) =>
  t.call('POST', '/api/card', { partner: draft.partner, key, body: draft.body });

const WRONG_PAYMENT = {
  VALIDATION_FAILED: (draft: Draft) => {
    draft.body = { ...draft.body, currency: 'USD' };
  },
  IDEMPOTENCY_KEY_REUSED: async ({ partner, point, key }: Draft) => {
    await create({ partner, body: card(point) }, key);
  },
  PAYMENT_POINT_REQUIRED: async (draft: Draft) => {
    const { partner, store } = draft;
    const second = { paymentPointId: `point-${randomUUID()}`, storeId: store, partnerId: partner, name: 'Second' };
    await t.deps.db.transaction((tx) =>
      insertPoint(tx, { ...second, routeId: SANDBOX_BANK, feeBasisPoints: 250, paymentMethods: ['CARD'] }),
    );
    const { paymentPointID: _named, ...rest } = draft.body;
    draft.body = rest;
  },
  NOT_FOUND: (draft: Draft) => {
    draft.body = { ...draft.body, paymentPointID: 'none' };
  },
  ROUTE_UNAVAILABLE: async ({ point }: Draft) => {
    await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
  },
} as const;
const WRONG_CARD = {
  ...WRONG_PAYMENT,
  DUPLICATE_ORDER: async (draft: Draft) => {
    const used = card(draft.point);
    await create({ partner: draft.partner, body: used });
    draft.body = { ...draft.body, orderID: used['orderID'] };
  },
} as const;
const WRONG_REFUND = {
  VALIDATION_FAILED: (draft: Draft) => {
    draft.body = { ...draft.body, reason: 1 };
  },
  IDEMPOTENCY_KEY_REUSED: WRONG_PAYMENT.IDEMPOTENCY_KEY_REUSED,
  NOT_FOUND: (draft: Draft) => {
    draft.id = randomUUID();
  },
  DUPLICATE_ORDER: async (draft: Draft) => {
    const merchantRefundId = randomUUID();
    await t.call('POST', `/api/card/${await paid(draft)}/refunds`, { partner: draft.partner, body: { merchantRefundId } });
    draft.body = { ...draft.body, merchantRefundId };
  },
  REFUND_NOT_ALLOWED: async (draft: Draft) => {
    draft.id = String((await create({ partner: draft.partner, body: card(draft.point) })).body['id']);
  },
  REFUND_AMOUNT_EXCEEDED: (draft: Draft) => {
    draft.body = { ...draft.body, amount: '100.01' };
  },
} as const;

async function paid({ partner, point }: Pick<Draft, 'partner' | 'point'>): Promise<string> {
  const { id } = (await create({ partner, body: card(point) })).body;
  await t.pay(String((await t.payment(id))['form_token']));
  return String(id);
}

async function given(): Promise<Draft> {
  const partner = await t.givenPartner(both);
  return { ...partner, key: randomUUID(), id: '', body: card(partner.point) };
}

/** Both reasons name a point, or the lack of one. */
const APART = ['PAYMENT_POINT_REQUIRED × NOT_FOUND', 'PAYMENT_POINT_REQUIRED × ROUTE_UNAVAILABLE'];

describe('19.6: the refusals of POST /api/card', () => {
  const CODES = Object.keys(WRONG_CARD) as (keyof typeof WRONG_CARD)[];
  const refused = async (...codes: readonly (keyof typeof WRONG_CARD)[]) => {
    const draft = await given();
    for (const code of codes) await WRONG_CARD[code](draft);
    return (await create(draft, draft.key)).body['code'];
  };
  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES, APART))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});

describe('19.6: the refusals of POST /api/qr', () => {
  const CODES = Object.keys(WRONG_PAYMENT) as (keyof typeof WRONG_PAYMENT)[];
  const refused = async (...codes: readonly (keyof typeof WRONG_PAYMENT)[]) => {
    const draft = await given();
    draft.body = { paymentPointID: draft.point, amount: 100 };
    for (const code of codes) await WRONG_PAYMENT[code](draft);
    return (await t.call('POST', '/api/qr', { partner: draft.partner, key: draft.key, body: draft.body })).body['code'];
  };
  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES, APART))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});

describe('19.6: the refusals of POST /api/card/{id}/refunds', () => {
  const CODES = Object.keys(WRONG_REFUND) as (keyof typeof WRONG_REFUND)[];
  const refused = async (...codes: readonly (keyof typeof WRONG_REFUND)[]) => {
    const draft = await given();
    draft.body = {};
    draft.id = await paid(draft);
    for (const code of codes) await WRONG_REFUND[code](draft);
    const call = { partner: draft.partner, key: draft.key, body: draft.body };
    return (await t.call('POST', `/api/card/${draft.id}/refunds`, call)).body['code'];
  };
  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES, ['NOT_FOUND × REFUND_NOT_ALLOWED']))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});

describe('19.6: the refusals of lists', () => {
  const LISTS = [['/api/payments/{id}'], ['/api/card/{id}/refunds'], ['/api/qr/{id}/refunds']] as const;
  const answer = async (path: string, query: string) => (await t.call('GET', `${path.replace('{id}', randomUUID())}${query}`)).body['code'];

  it.each(LISTS)('%s: NOT_FOUND alone', async (path) => {
    expect(await answer(path, '')).toBe('NOT_FOUND');
  });
  it.each(LISTS)('%s: VALIDATION_FAILED before NOT_FOUND', async (path) => {
    expect(await answer(path, '?limit=0')).toBe('VALIDATION_FAILED');
    expect(await answer(path, '?pageToken=x')).toBe('VALIDATION_FAILED');
  });
});
