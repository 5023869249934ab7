import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TypedText } from '../packages/shared/src/content/typed-text.ts';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { runCli } from '../packages/sdk/test/run-cli.ts';
import { openWorld, type World } from './world.ts';

/** One of each kind, none of which another test types. */
const FORBIDDEN = {
  'a card number': 'card 5555 5555 5555 4444',
  'a card’s code': 'the cvv is 846',
  'a seed phrase': 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'a wallet address': 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  'a key': '7c4a8d09ca3762af61e59520943dc26494f8941b4b1d3b7a2f6f1c8e9d0a5b3e',
} as const;
const KINDS = Object.entries(FORBIDDEN);

type Door = {
  readonly door: 'console' | 'API';
  readonly method?: 'POST';
  readonly path: string;
  readonly body: (text: string) => unknown;
};

describe('S7: what must never be typed', () => {
  let world: World;
  let cookie = '';
  let profile = '';
  const administrator = () => {
    const found = world.system.state().operators.find(({ role }) => role === 'admin');
    if (found === undefined) throw new Error('the demo has no administrator');
    return found;
  };
  const toConsole = (path: string, body: unknown) => {
    const { consoleUrl } = world.system.addresses;
    const headers = { 'content-type': 'application/json', origin: new URL(consoleUrl).origin, cookie };
    return fetch(`${consoleUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };

  beforeAll(async () => {
    world = await openWorld();
    profile = join(world.system.folder, 'demo.json');
    const { login, password } = administrator();
    const answer = await toConsole('/api/auth/sign-in/email', { email: login, password });
    cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0]).join('; '); // prettier-ignore
    if (answer.status !== 200) throw new Error(`not signed in: ${String(answer.status)}`);
  });
  afterAll(() => world.close());

  /** Every text of the list, through a door that takes it. A new text without a door does not compile. */
  const doors = (): Readonly<Record<TypedText, Door>> => {
    const id = randomUUID();
    const { partnerID, storeID } = world.partner;
    const order = { ...world.order(), amount: 10.5 };
    const consent = { period: 'P1M', capture: 'MERCHANT', acceptedAt: '2026-01-01T00:00:00Z', evidenceHash: 'a'.repeat(64) }; // prettier-ignore
    const recurring = (change: object) => ({ ...order, savePaymentMethod: true, recurringConsent: { ...consent, reference: 'r', version: 'v', ...change } }); // prettier-ignore
    const point = { paymentPointID: id, paymentMethods: ['CARD'], routeId: 'sandbox-bank', minAmount: '1.00', maxAmount: '9.00', feeBasisPoints: 1, sessionMinutes: 30 }; // prettier-ignore
    return {
      'payment.description': { door: 'API', path: '/api/card', body: (text) => ({ ...order, description: text }) },
      'consent.reference': { door: 'API', path: '/api/card', body: (text) => recurring({ reference: text }) },
      'consent.version': { door: 'API', path: '/api/card', body: (text) => recurring({ version: text }) },
      'refund.reason': { door: 'console', path: `/api/payments/payments/${id}/refunds`, body: (text) => ({ seenVersion: 1, key: id, reason: text }) }, // prettier-ignore
      'held-back.reason': { door: 'console', path: '/api/payments/held-back-cards/let-through', body: (text) => ({ paymentPointId: id, rule: 'point', reason: text }) }, // prettier-ignore
      'exception.note': { door: 'console', path: `/api/payments/exceptions/${id}/settle`, body: (text) => ({ note: text }) }, // prettier-ignore
      'store.name': { door: 'console', path: '/api/payments/stores', body: (text) => ({ storeId: id, partnerID, name: text }) }, // prettier-ignore
      'point.name': { door: 'console', path: `/api/payments/stores/${storeID}/payment-points`, body: (text) => ({ ...point, name: text }) }, // prettier-ignore
      'partner.name': { door: 'console', path: '/api/gateway/partners', body: (text) => ({ partnerID: id, name: text }) }, // prettier-ignore
      'key.comment': { door: 'console', path: `/api/gateway/partners/${partnerID}/keys`, body: (text) => ({ publicKey: `${world.partner.publicKey} ${text}` }) }, // prettier-ignore
      'operator.name': { door: 'console', path: '/api/operators', body: (text) => ({ login: `${id}@example.com`, name: text, role: 'support', signIn: 'password' }) }, // prettier-ignore
      'withdrawal.reason': { door: 'console', path: `/api/withdrawals/withdrawals/${id}/reject`, body: (text) => ({ revision: 1, reason: text }) }, // prettier-ignore
      'beneficiary.label': { door: 'console', path: `/api/withdrawals/partners/${partnerID}/beneficiaries`, body: (text) => ({ label: text }) }, // prettier-ignore
      'funding.reference': { door: 'console', path: `/api/withdrawals/stores/${storeID}/fundings`, body: (text) => ({ amountUsdt: '1', amountRub: '80.00', rate: '80', reference: text }) }, // prettier-ignore
    } as const satisfies Record<TypedText, Door>;
  };

  async function type({ door, path, body }: Door, text: string): Promise<{ status: number; text: string }> {
    if (door === 'console') {
      const answer = await toConsole(path, body(text));
      return { status: answer.status, text: await answer.text() };
    }
    const sent = Buffer.from(JSON.stringify(body(text)));
    const request = { method: 'POST', target: path, body: sent, idempotencyKey: randomUUID() } as const;
    const refusal: unknown = await world.client.request(request).catch((error: unknown) => error);
    if (!(refusal instanceof ApiError)) throw new Error(`${path} took it`);
    return { status: refusal.status, text: `${refusal.message} ${JSON.stringify(refusal.details)}` };
  }

  it('S7: is refused in every text that people type, and never repeated', async () => {
    for (const [name, door] of Object.entries(doors())) {
      for (const [kind, text] of KINDS) {
        const answer = await type(door, text);
        expect({ name, kind, status: answer.status, repeats: answer.text.includes(text) }).toEqual({ name, kind, status: 400, repeats: false }); // prettier-ignore
      }
    }
  });

  it.each([
    ['payments', 'refund', randomUUID(), '--seen-version', '1', '--reason'],
    ['partners', 'create', `cli-${randomUUID()}`],
    ['withdrawals', 'reject', randomUUID(), '--revision', '1', '--reason'],
  ])('S7: is refused on the command line: %s %s', async (...args) => {
    const { exitCode, stdout, stderr } = await runCli(['--profile', profile, 'operator', ...args, FORBIDDEN['a card number']]); // prettier-ignore
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('400 VALIDATION_FAILED')]);
    expect(stdout + stderr).not.toContain('5555');
  });

  it('S7: is in no table, among them trails and the facts that were published, and in no log', async () => {
    const tables = await world.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const leaks = (text: string) => KINDS.filter(([, secret]) => text.includes(secret)).map(([kind]) => kind);
    const found: string[] = [];
    for (const { name } of tables)
      for (const { row } of await world.query<{ row: string }>(`select t::text as row from ${name} as t`))
        found.push(...leaks(row).map((kind) => `${kind} in ${name}`));
    for (const log of readdirSync(world.system.logs))
      found.push(...leaks(readFileSync(join(world.system.logs, log), 'utf8')).map((kind) => `${kind} in ${log}`));
    expect(found).toEqual([]);
  });
});
