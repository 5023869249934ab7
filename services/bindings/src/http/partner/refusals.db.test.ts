import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pairsOf } from '../../../../../packages/shared/test/refusals.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterEach(() => {
  t.payments.behave = () => ({ kind: 'take' });
});
afterAll(() => t.close());

/** A valid charge of `given`, before one thing in it is made wrong. */
type Draft = { readonly given: string; bindingId: string; readonly key: string; change: Json };

const set = (draft: Draft, columns: string) => t.rows(`update bindings set ${columns} where binding_id = $1`, [draft.given]);
const WRONG = {
  VALIDATION_FAILED: (draft: Draft) => {
    draft.change = { ...draft.change, amount: '990' };
  },
  IDEMPOTENCY_KEY_REUSED: async ({ key }: Draft) => {
    await t.charge(await t.givenBinding(), { key });
  },
  NOT_FOUND: (draft: Draft) => {
    draft.bindingId = randomUUID();
  },
  DUPLICATE_ORDER: async (draft: Draft) => {
    const merchantOrderId = `order-${randomUUID()}`;
    await t.charge(await t.givenBinding(), {}, { merchantOrderId });
    draft.change = { ...draft.change, merchantOrderId };
  },
  BINDING_REVOKED: (draft: Draft) => set(draft, `status = 'REVOKED', revoked_at = clock_now()`),
  BINDING_EXPIRED: (draft: Draft) => set(draft, `card_expiry = '2020-01'`),
  PREVIOUS_CHARGE_NOT_FINISHED: (draft: Draft) => set(draft, `open_payment_id = '${randomUUID()}'`),
  PERIOD_NOT_ELAPSED: (draft: Draft) => set(draft, `next_charge_at = '2100-01-01'`),
  RETRY_NOT_ALLOWED: async ({ given }: Draft) => {
    await t.failed((await t.charge(given)).body['paymentId'], 'CARD_BLOCKED', '2100-01-01T00:00:00.000Z');
  },
  ROUTE_UNAVAILABLE: () => {
    t.payments.behave = () => ({ kind: 'refuse', status: 503, code: 'ROUTE_UNAVAILABLE' });
  },
} as const;
const CODES = Object.keys(WRONG) as (keyof typeof WRONG)[];

describe('19.6: the refusals of POST /v1/recurring-payments', () => {
  const refused = async (...codes: readonly (keyof typeof WRONG)[]) => {
    const given = await t.givenBinding();
    const draft: Draft = { given, bindingId: given, key: randomUUID(), change: {} };
    // The decline comes first: it needs a charge that is accepted.
    for (const code of codes.toSorted((a, b) => Number(b === 'RETRY_NOT_ALLOWED') - Number(a === 'RETRY_NOT_ALLOWED')))
      await WRONG[code](draft);
    return (await t.charge(draft.bindingId, { key: draft.key }, draft.change)).body['code'];
  };

  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });

  it.each(pairsOf(CODES))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});

describe('19.6: the refusals of POST /v1/bindings/{bindingId}/revoke', () => {
  type Revoke = { bindingId: string; readonly key: string; body: Json };
  const WRONG_REVOKE = {
    VALIDATION_FAILED: (draft: Revoke) => {
      draft.body = { reason: 'moved' };
    },
    IDEMPOTENCY_KEY_REUSED: async ({ key }: Revoke) => {
      await t.charge(await t.givenBinding(), { key });
    },
    NOT_FOUND: (draft: Revoke) => {
      draft.bindingId = randomUUID();
    },
  } as const;
  const REVOKE_CODES = Object.keys(WRONG_REVOKE) as (keyof typeof WRONG_REVOKE)[];
  const refused = async (...codes: readonly (keyof typeof WRONG_REVOKE)[]) => {
    const draft: Revoke = { bindingId: await t.givenBinding(), key: randomUUID(), body: {} };
    for (const code of codes) await WRONG_REVOKE[code](draft);
    return (await t.call('POST', `/v1/bindings/${draft.bindingId}/revoke`, { key: draft.key, body: draft.body })).body['code'];
  };
  it.each(REVOKE_CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(REVOKE_CODES))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});
