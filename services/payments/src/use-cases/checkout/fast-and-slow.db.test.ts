import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { allowPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import fc from 'fast-check';
import { CARD, SHOWN, startTestApp, type Row, type TestApp } from '../../../test/app.ts';
import { silence, type TestBank } from '../../../test/bank.ts';
import { cardRequest } from '../../../test/requests.ts';
import { createCardPayment } from '../payment/create-card-payment.ts';
import { readBack } from '../payment/read-back.ts';
import { sendCard } from './admit-card.ts';
import { answerConsent } from './answer-consent.ts';
import { openCheckout } from './open-checkout.ts';
import { prepareCard } from './prepare-card.ts';

/** What the bank does with the next cards. */
const AT_THE_BANK = {
  approves: () => undefined,
  approvesToo: () => undefined,
  declines: (bank) => (bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' }),
  fails: (bank) => (bank.verdict = { status: 'DECLINED', reason: 'PROCESSING_ERROR' }),
  challenges: (bank) => (bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl: 'https://bank.example/3ds/1' }),
  waits: (bank) => (bank.verdict = { status: 'PENDING' }),
  takesAnotherAmount: (bank) => (bank.verdict = { amountKopecks: '1' }),
  takesUnauthenticated: (bank) => {
    bank.keepsPolicies = false;
    bank.verdict = { transStatus: 'N' };
  },
  givesNoToken: (bank) => (bank.verdict = { cardToken: null }),
  answersNothing: (bank) => {
    bank.interrupt('authorize', 'after', silence);
  },
  losesTheCard: (bank) => {
    bank.interrupt('authorize', 'before', silence);
  },
} as const satisfies Record<string, (bank: TestBank) => unknown>;

/** What becomes of one payment. */
const life = fc.record({
  kopecks: fc.bigInt({ min: 100n, max: 5_000_000n }),
  savesCard: fc.boolean(),
  /** How often the create is sent, with one key. */
  creates: fc.constantFrom(1, 1, 2),
  endsBefore: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'session', 'point'),
  isPrepared: fc.boolean(),
  /** How often the card is sent, at once. */
  clicks: fc.constantFrom(1, 1, 1, 2, 3),
  /** It comes from the address of the others, which may have one unpaid card. */
  isLikeOthers: fc.boolean(),
  atTheBank: fc.constantFrom(...(Object.keys(AT_THE_BANK) as (keyof typeof AT_THE_BANK)[])),
  isReadBack: fc.boolean(),
  /** Somebody else changes the payment between each read and each write. */
  isDisturbed: fc.boolean(),
});
type Life = typeof life extends fc.Arbitrary<infer One> ? One : never;

const ORDINARY: Life = {
  kopecks: 1_000n,
  savesCard: false,
  creates: 1,
  endsBefore: 'nothing',
  isPrepared: false,
  clicks: 1,
  isLikeOthers: false,
  atTheBank: 'approves',
  isReadBack: false,
  isDisturbed: false,
};
/** What chance alone may leave out. The last card is held back: the one before it is unpaid. */
const ALWAYS: Life[] = [
  { ...ORDINARY, savesCard: true },
  { ...ORDINARY, atTheBank: 'declines', isDisturbed: true },
  { ...ORDINARY, atTheBank: 'waits', isLikeOthers: true },
  { ...ORDINARY, isLikeOthers: true },
];

/** One service, and the ways to its database. */
type World = {
  readonly t: TestApp;
  /** Somebody else changes each open payment whenever a connection is taken. */
  readonly disturbed: Database;
  /** Takes no transaction that is sent whole. */
  readonly stepwise: Database;
  readonly close: () => Promise<void>;
};

const DISTURBANCE = `update payments set updated_at = updated_at + interval '1 millisecond',
  lease_number = lease_number + case when card_sent_at is null then 1 else 0 end where status = 'SUBMITTED'`;

async function startWorld(): Promise<World> {
  const t = await startTestApp();
  const open = (url: string) => openDatabase({ url, applicationName: 'payments-test', onIdleError: () => undefined });
  const [disturbed, stepwise, nowhere] = [open(t.databaseUrl), open(t.databaseUrl), open('postgres://127.0.0.1:1/none')];
  disturbed.pool.on('acquire', (client) => void client.query(DISTURBANCE).catch(() => undefined));
  allowPipeline(stepwise.db, nowhere.pool);
  const close = async () => {
    await Promise.all([disturbed, stepwise, nowhere].map((database) => database.close()));
    await t.close();
  };
  return { t, disturbed, stepwise, close };
}

let fast: World;
let slow: World;
beforeAll(async () => {
  [fast, slow] = await Promise.all([startWorld(), startWorld()]);
});
afterAll(() => Promise.all([fast.close(), slow.close()]));

/** Leads one life, step by step in the slow world, and tells what its partner and its buyer were told. */
async function lead(world: World, lived: Life, source: string): Promise<{ id: string; told: unknown[] }> {
  const { t } = world;
  const isSlow = world === slow;
  const db = isSlow || lived.isDisturbed ? world.disturbed.db : t.deps.db;
  const deps = { ...t.deps, db, velocity: { ...t.deps.velocity, address: 1 } };
  const told: unknown[] = [];
  const { partner, point } = await t.givenPartner();
  const request = { partnerId: partner, key: randomUUID(), operation: 'POST /api/card', bodySha256: '0'.repeat(64) };
  const command = { ...cardRequest(point, lived.kopecks), ...(lived.savesCard ? { saving: { period: 'P1M' as const } } : {}) };
  const creates = isSlow ? { ...deps, db: world.stepwise.db } : t.deps;
  let id = '';
  for (let nth = 0; nth < lived.creates; nth += 1) {
    const { payment, status, replayed } = await createCardPayment(creates, request, command);
    id = payment.paymentId;
    told.push([payment.status, status, replayed]);
  }
  const checkoutToken = String((await t.payment(id))['form_token']);
  if (lived.savesCard) await answerConsent(deps, { checkoutToken, agreed: SHOWN });
  const { status, isHeld } = (await openCheckout(deps, checkoutToken)) ?? {};
  told.push([status, isHeld]);
  if (lived.endsBefore === 'session') await t.rows('update payments set expires_at = clock_now() where payment_id = $1', [id]);
  if (lived.endsBefore === 'point') await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
  const from = lived.isLikeOthers && lived.clicks === 1 ? source : `${source} ${id}`;
  const prepared = lived.isPrepared ? await prepareCard(deps, { checkoutToken, card: CARD, source: from }) : undefined;
  const sent = { checkoutToken, card: CARD, ...(prepared === undefined ? {} : { ticket: prepared.ticket }) };
  // Of clicks from one address, the rules may hold back any.
  const sourceOf = (click: number) => (click === 0 ? from : `${from} ${String(click)}`);
  AT_THE_BANK[lived.atTheBank](t.bank);
  const outcomes = await Promise.all(
    Array.from({ length: lived.clicks }, (_, click) => sendCard(deps, { declinedCount: 0, ...sent, source: sourceOf(click) })),
  );
  told.push(outcomes.toSorted());
  Object.assign(t.bank, { verdict: {}, keepsPolicies: true });
  for (const when of ['before', 'after'] as const) t.bank.interrupt('authorize', when, undefined);
  if (lived.isReadBack) told.push((await readBack(deps, id)).kind);
  return { id, told };
}

const TABLES = {
  payments: 'payment_id = $1',
  ledger_transactions: 'reference_id = $1',
  ledger_entries:
    'ledger_transaction_id in (select ledger_transaction_id from ledger_transactions where reference_id = $1) order by position',
  outbox: 'aggregate_id = $1::text or payload ->> $$paymentId$$ = $1::text order by position',
  idempotency_records: 'object_id = $1::text',
  card_attempts: 'payment_id = $1',
  saved_cards: 'payment_id = $1',
  exceptions: 'payment_id = $1 order by kind',
  bank_asks: 'payment_id = $1',
} as const;

/** Every row of a payment, with ids numbered, secrets left out, and moments by their distance from what they follow. */
async function rowsOf({ t }: World, id: string): Promise<unknown> {
  const rows: Record<string, Row[]> = {};
  for (const [table, where] of Object.entries(TABLES)) {
    rows[table] = (
      await t.rows(
        `select to_jsonb(x) as row from ${table} x where ${where.replaceAll('$1', '$1::uuid').replaceAll('::uuid::text', '::text')}`,
        [id],
      )
    ).map(({ row }) => row as Row);
  }
  const [payment] = rows['payments'] ?? [];
  if (payment === undefined) throw new Error('no payment');
  const ids = new Map<string, string>();
  const text = JSON.stringify(rows, (name, value: unknown) => normalised(payment, name, value));
  const numbered = text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (uuid) => {
    const known = ids.get(uuid) ?? `id ${String(ids.size)}`;
    ids.set(uuid, known);
    return known;
  });
  const normal: unknown = JSON.parse(numbered);
  return normal;
}

/** Of a payment point, unless it says otherwise. */
const SESSION_MS = 3_600_000;
const SECRETS = [
  'form_token',
  'card_token_encrypted',
  'address_hash',
  'bin_hash',
  'position',
  'key',
  'merchant_order_id',
  'merchantOrderId',
];
/** A lease that nobody took counts as well; the traffic in the slow world moves it on. */
const COUNTERS = ['lease_number'];

const momentOf = (value: unknown): number => (typeof value === 'string' || value instanceof Date ? new Date(value).getTime() : Number.NaN);

function normalised(payment: Row, name: string, value: unknown): unknown {
  if (value === null) return value;
  if (SECRETS.includes(name) || COUNTERS.includes(name)) return name;
  const since = (origin: unknown) => momentOf(value) - momentOf(origin);
  switch (name) {
    case 'expires_at':
      return since(payment['created_at']) < 0 ? 'ended' : 'later';
    case 'next_read_at':
      return since(payment['created_at']) === SESSION_MS ? 'at the end of the session' : since(payment['last_read_at']);
    case 'occurred_at':
    case 'occurredAt':
    case 'last_read_at':
      return since(payment['last_read_at']) === 0 ? 'when it was decided' : 'a moment';
    case 'created_at':
    case 'updated_at':
    case 'card_sent_at':
    case 'lease_until':
    case 'link_expires_at':
    case 'held_until':
    case 'acceptedAt':
      return 'a moment';
    default:
      return value;
  }
}

it('property: the fast way and the slow way leave the same rows, whatever happens to a payment', async () => {
  const met = { fast: 0, disturbed: 0, completed: 0, rejected: 0, pending: 0, heldBack: 0, saved: 0 };
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5, size: 'max' }), async (lives) => {
      runs += 1;
      for (const lived of lives) {
        const source = `source ${String(runs)}`;
        const [one, other] = [await lead(fast, lived, source), await lead(slow, lived, source)];
        expect(one.told).toEqual(other.told);
        expect(await rowsOf(fast, one.id)).toEqual(await rowsOf(slow, other.id));
        const row = await fast.t.payment(one.id);
        if (lived.isDisturbed) met.disturbed += 1;
        else met.fast += 1;
        if (row['status'] === 'COMPLETED') met.completed += 1;
        if (row['status'] === 'REJECTED') met.rejected += 1;
        if (row['status'] === 'PENDING') met.pending += 1;
        if (row['binding_id'] !== null && row['status'] === 'COMPLETED') met.saved += 1;
        if (JSON.stringify(one.told).includes('held-back')) met.heldBack += 1;
      }
    }),
    { numRuns: 40, endOnFailure: true, examples: [[ALWAYS]] },
  );
  // Histories that never got there would prove nothing.
  expect(Object.entries(met).filter(([, count]) => count === 0)).toEqual([]);
});
