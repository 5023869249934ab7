import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pairsOf } from '../../../../../packages/shared/test/refusals.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.stop());

const URL_OF_NOBODY = 'http://127.0.0.1:9/callback';
/** A partner with an address and a secret, and an event of its own. */
async function givenPartner() {
  const partner = randomUUID();
  await t.givenEndpoints(partner, URL_OF_NOBODY);
  await t.fetchSecret(partner);
  return { partner, event: await t.givenEvent(partner) };
}
const replay = (event: string, partner: string, key: string) => t.call('POST', `/api/events/${event}/replay`, partner, key);

describe('19.6: the refusals of POST /api/integration/callback-secret', () => {
  /** Belongs to a partner that may have a secret: an operator opened a rotation. */
  type Draft = { readonly partner: string; readonly event: string; readonly key: string; body: string };
  const WRONG = {
    VALIDATION_FAILED: (draft: Draft) => {
      draft.body = '{"confirmSecureStorage":false}';
    },
    IDEMPOTENCY_KEY_REUSED: async ({ event, partner, key }: Draft) => {
      await replay(event, partner, key);
    },
    ENDPOINTS_NOT_CONFIGURED: async ({ partner }: Draft) => {
      await t.query('delete from callback_keys where partner_id = $1', [partner]);
      await t.query('update receivers set callback_url = null where partner_id = $1', [partner]);
    },
    SECRET_ALREADY_ISSUED: async ({ partner }: Draft) => {
      await t.query('update receivers set rotation_opened_at = null where partner_id = $1', [partner]);
    },
  } as const;
  const CODES = Object.keys(WRONG) as (keyof typeof WRONG)[];
  const refused = async (...codes: readonly (keyof typeof WRONG)[]) => {
    const draft: Draft = { ...(await givenPartner()), key: randomUUID(), body: '{"confirmSecureStorage":true}' };
    await t.operate('POST', `/partners/${draft.partner}/secret-rotation`, {});
    for (const code of codes) await WRONG[code](draft);
    return (await t.fetchSecret(draft.partner, { key: draft.key, body: draft.body })).body['code'];
  };
  // A saved address never disappears again.
  const APART = ['IDEMPOTENCY_KEY_REUSED × ENDPOINTS_NOT_CONFIGURED', 'ENDPOINTS_NOT_CONFIGURED × SECRET_ALREADY_ISSUED'];

  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES, APART))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });

  it('IDEMPOTENCY_KEY_REUSED also for the key of an older secret with another body; with the same, SECRET_ALREADY_ISSUED', async () => {
    const partner = randomUUID();
    await t.givenEndpoints(partner, URL_OF_NOBODY);
    const key = randomUUID();
    await t.fetchSecret(partner, { key });
    await t.operate('POST', `/partners/${partner}/secret-rotation`, {});
    expect((await t.fetchSecret(partner)).status).toBe(201);
    expect((await t.fetchSecret(partner, { key, body: '{"confirmSecureStorage": true}' })).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await t.fetchSecret(partner, { key })).body['code']).toBe('SECRET_ALREADY_ISSUED');
  });
});

describe('19.6: the refusals of POST /api/events/{eventId}/replay', () => {
  type Draft = { readonly partner: string; event: string; key: string };
  const WRONG = {
    VALIDATION_FAILED: (draft: Draft) => {
      draft.key = 'short';
    },
    IDEMPOTENCY_KEY_REUSED: async ({ partner, key }: Draft) => {
      await replay(await t.givenEvent(partner), partner, key);
    },
    NOT_FOUND: (draft: Draft) => {
      draft.event = randomUUID();
    },
    ENDPOINTS_NOT_CONFIGURED: async ({ partner }: Draft) => {
      await t.query('update receivers set configured_at = null where partner_id = $1', [partner]);
    },
    RATE_LIMITED: async ({ partner }: Draft) => {
      await t.query(
        `update receivers set replays_in_minute = 60, replay_minute = date_trunc('minute', clock_now()) where partner_id = $1`,
        [partner],
      );
    },
  } as const;
  const refused = (...codes: readonly (keyof typeof WRONG)[]) => t.whileClockStands(() => refusal(codes));
  const refusal = async (codes: readonly (keyof typeof WRONG)[]) => {
    const { partner, event } = await givenPartner();
    const draft: Draft = { partner, event, key: randomUUID() };
    // The key's binding comes first: it needs a replay that is accepted.
    for (const code of codes.toSorted((a, b) => Number(b === 'IDEMPOTENCY_KEY_REUSED') - Number(a === 'IDEMPOTENCY_KEY_REUSED')))
      await WRONG[code](draft);
    return (await replay(draft.event, partner, draft.key)).body['code'];
  };
  const CODES = ['VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'NOT_FOUND', 'ENDPOINTS_NOT_CONFIGURED'] as const;

  it.each([...CODES, 'RATE_LIMITED' as const])('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
  it.each(CODES)('%s before RATE_LIMITED, which counts what was accepted', async (first) => {
    expect(await refused(first, 'RATE_LIMITED')).toBe(first);
  });
});
