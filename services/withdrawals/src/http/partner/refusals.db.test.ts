import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pairsOf } from '../../../../../packages/shared/test/refusals.ts';
import { startTestApp, type Funded, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

type Draft = { funded: Funded; readonly key: string; amountUsdt: unknown };
const WRONG = {
  VALIDATION_FAILED: (draft: Draft) => {
    draft.amountUsdt = 1;
  },
  IDEMPOTENCY_KEY_REUSED: async ({ funded, key }: Draft) => {
    await t.request(funded, '0.5', { key });
  },
  NOT_FOUND: (draft: Draft) => {
    draft.funded = { ...draft.funded, beneficiaryRef: 'ben_none' };
  },
  INSUFFICIENT_BALANCE: (draft: Draft) => {
    draft.amountUsdt = draft.amountUsdt === '1' ? '1000' : draft.amountUsdt;
  },
} as const;
const CODES = Object.keys(WRONG) as (keyof typeof WRONG)[];

describe('19.6: the refusals of POST /api/withdrawal-requests', () => {
  const refused = async (...codes: readonly (keyof typeof WRONG)[]) => {
    const draft: Draft = { funded: await t.givenPartner(), key: randomUUID(), amountUsdt: '1' };
    for (const code of codes) await WRONG[code](draft);
    return (await t.request(draft.funded, draft.amountUsdt, { key: draft.key })).body['code'];
  };
  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});

describe('19.6: the refusals of GET /api/withdrawal-requests', () => {
  it.each([
    ['VALIDATION_FAILED', 'alone', '?limit=0'],
    ['NOT_FOUND', 'alone', '?storeId=none'],
    ['VALIDATION_FAILED', 'before NOT_FOUND', '?storeId=none&limit=0'],
    ['VALIDATION_FAILED', 'before NOT_FOUND', '?storeId=none&pageToken=x'],
  ])('%s %s: %s', async (code, _how, query) => {
    const { partner } = await t.givenPartner();
    expect((await t.call('GET', `/api/withdrawal-requests${query}`, { partner })).body['code']).toBe(code);
  });
});
