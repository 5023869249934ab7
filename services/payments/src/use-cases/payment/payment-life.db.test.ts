import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PaymentStatus } from '@pay/contract/states.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { CARD, followUpAll, payAtCheckout, startTestApp, type Row, type TestApp } from '../../../test/app.ts';
import { silence, type BankCall, type BankOperation } from '../../../test/bank.ts';
import { cardRequest, qrRequest } from '../../../test/requests.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { createSandboxBankAcquirer } from '../../acquirers/sandbox-bank/sandbox-bank-acquirer.ts';
import { readOperation, readRefundOperation } from '../../acquirers/sandbox-bank/operation.ts';
import { listLedgerDifferences, sumEntries } from '../../db/ledger/ledger-balances.ts';
import { readTrialBalance } from '../../db/ledger/ledger.ts';
import type { ApiDeps } from '../../deps.ts';
import { PAYMENT_MOVES } from '../../domain/payment/payment-status.ts';
import { cancelPayment } from './cancel-payment.ts';
import { createCardPayment } from './create-card-payment.ts';
import { createQrPayment } from './create-qr-payment.ts';
import { requestRefund } from '../refund/request-refund.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';
import { recordOutcome } from './record-outcome.ts';
import { recordRefundOutcome } from '../refund/record-refund-outcome.ts';

/**
 * Random lives of payments: created, paid, expired and refunded in any order, while the bank answers or does not, its
 * messages come twice and late, and the process dies around its calls. After each: the books, the events, the states and
 * the bank agree.
 */
const POINT = 'life-qr';
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await t.rows(
    `insert into payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id, fee_basis_points)
     select $1, store_id, partner_id, 'QR', '{SBP_DYNAMIC_QR}', route_id, 40 from payment_points limit 1`,
    [POINT],
  );
});
afterAll(() => t.close());

/** What becomes of a call to the bank. */
const FAULTS = ['none', 'lost before', 'lost after', 'crash before', 'crash after'] as const;
type Fault = (typeof FAULTS)[number];
type BankStatus = BankOperation['status'];

/** Where the process dies in a crash. */
class Crash extends Error {
  override readonly name = 'Crash';
}

/** One run's system: its own payments and its own connection to the bank, so that no breaker is left from the run before. */
type Real = {
  readonly deps: ApiDeps;
  readonly paymentIds: string[];
  readonly refundIds: string[];
  /** Everything the bank ever said, to be said again. */
  readonly said: { readonly kind: 'payment' | 'refund'; readonly id: string; readonly operation: BankOperation }[];
  /** Each payment's states in the order in which they were seen. */
  readonly seen: Map<string, PaymentStatus[]>;
  close(): Promise<void>;
};
type Model = Record<string, never>;
type Step = fc.AsyncCommand<Model, Real>;

function acquirerFor(): Acquirer & { close(): Promise<void> } {
  const { log } = t.deps;
  return createSandboxBankAcquirer({ url: t.bank.url, apiKey: t.bank.apiKey, routeId: `life-${randomUUID()}`, log });
}

async function openReal(): Promise<Real> {
  // What earlier runs left is not this run's business.
  for (const statement of [
    'update payments set next_read_at = null',
    'update refunds set next_read_at = null',
    'update money_returns set next_attempt_at = null',
  ])
    await t.rows(statement);
  const acquirer = acquirerFor();
  return {
    deps: { ...t.deps, acquirerOf: () => acquirer },
    paymentIds: [],
    refundIds: [],
    said: [],
    seen: new Map(),
    close: () => acquirer.close(),
  };
}

/** As `deps`, for a process that dies around its call to the bank. */
function dying(deps: ApiDeps, when: 'before' | 'after'): ApiDeps {
  return {
    ...deps,
    acquirerOf: (route) => {
      const acquirer = deps.acquirerOf(route);
      if (acquirer === undefined) return undefined;
      return new Proxy(acquirer, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== 'function') return member;
          return async (...given: unknown[]) => {
            if (when === 'after') await Reflect.apply(member, target, given);
            throw new Crash();
          };
        },
      });
    },
  };
}

/** Runs `work` with the bank or the process failing as told. A refusal is an answer, a crash is none. */
async function suffering(real: Real, fault: Fault, call: BankCall, work: (deps: ApiDeps) => Promise<unknown>): Promise<void> {
  const [how, when = 'before'] = fault.split(' ') as ['none' | 'lost' | 'crash', ('before' | 'after')?];
  if (how === 'lost') t.bank.interrupt(call, when, silence);
  try {
    await work(how === 'crash' ? dying(real.deps, when) : real.deps);
  } catch (error) {
    if (!(error instanceof Crash) && !(error instanceof ApiError)) throw error;
  } finally {
    t.bank.interrupt(call, when, undefined);
  }
  await notice(real);
}

const request = (operation: string) => ({
  partnerId: 'partner-1',
  key: randomUUID(),
  operation,
  bodySha256: '0'.repeat(64),
});
const pick = (ids: readonly string[], at: number): string | undefined => ids[at % Math.max(ids.length, 1)];
const ours = (real: Real, column: string): [string, unknown[]] => [`${column} = any($1)`, [real.paymentIds]];

/** Learns of new payments and refunds, of states that were reached, and of what the bank says now. */
async function notice(real: Real): Promise<void> {
  const [where, values] = ours(real, 'payment_id');
  for (const { payment_id: id, status } of await t.rows(`select payment_id, status from payments where ${where}`, values)) {
    const states = real.seen.get(String(id)) ?? ['CREATED'];
    if (states.at(-1) !== status) states.push(status as PaymentStatus);
    real.seen.set(String(id), states);
  }
  for (const { refund_id: id } of await t.rows(`select refund_id from refunds where ${where}`, values)) {
    if (!real.refundIds.includes(String(id))) real.refundIds.push(String(id));
  }
  for (const [kind, ids] of [
    ['payment', real.paymentIds],
    ['refund', real.refundIds],
  ] as const) {
    for (const id of ids) {
      const operation = t.bank.operations.get(id);
      const last = real.said.findLast((one) => one.id === id);
      if (operation !== undefined && last?.operation.status !== operation.status) real.said.push({ kind, id, operation: { ...operation } });
    }
  }
}

const step = (name: string, run: (real: Real) => Promise<void>): Step => ({
  check: () => true,
  run: (_model, real) => run(real),
  toString: () => name,
});

/** Mostly the bank answers: were it down half of the time, the breaker would open and nothing would be tried any more. */
const fault = fc.oneof({ arbitrary: fc.constant<Fault>('none'), weight: 8 }, { arbitrary: fc.constantFrom(...FAULTS), weight: 3 });
/** Which payment or refund: mostly one of the first two, so that lives grow long. */
const at = fc.oneof({ arbitrary: fc.nat({ max: 1 }), weight: 4 }, { arbitrary: fc.nat({ max: 5 }), weight: 1 });
const kopecks = fc.integer({ min: 1, max: 1_000_000 });

/** The id is chosen inside: found by what is new. */
async function learnNew(real: Real, before: ReadonlySet<string>): Promise<void> {
  for (const { payment_id: id } of await t.rows('select payment_id from payments')) {
    if (!before.has(String(id))) real.paymentIds.push(String(id));
  }
  await notice(real);
}
const known = async () => new Set((await t.rows('select payment_id from payments')).map(({ payment_id: id }) => String(id)));

const newCard = (deps: ApiDeps, amountKopecks: bigint) =>
  createCardPayment(deps, request('POST /api/card'), cardRequest('point-1', amountKopecks));
const newQr = (deps: ApiDeps, amountKopecks: bigint) => createQrPayment(deps, request('POST /api/qr'), qrRequest(POINT, amountKopecks));
const createCard = fc.record({ kopecks, fault }).map((given) =>
  step(`create card ${String(given.kopecks)} ${given.fault}`, async (real) => {
    const before = await known();
    await suffering(real, given.fault, 'register', (deps) => newCard(deps, BigInt(given.kopecks)));
    await learnNew(real, before);
  }),
);
const createQr = fc.record({ kopecks, fault }).map((given) =>
  step(`create QR ${String(given.kopecks)} ${given.fault}`, async (real) => {
    const before = await known();
    await suffering(real, given.fault, 'register', (deps) => newQr(deps, BigInt(given.kopecks)));
    await learnNew(real, before);
  }),
);
const usually = (often: BankStatus, ...others: BankStatus[]) =>
  fc.oneof({ arbitrary: fc.constant(often), weight: 3 }, { arbitrary: fc.constantFrom(...others), weight: 2 });

/** The buyer types a card, or is at his bank with the code. */
async function pay(real: Real, id: string, status: BankStatus, fault: Fault): Promise<void> {
  const { form_token: checkoutToken, method } = await t.payment(id);
  if (method !== 'CARD') {
    if (t.bank.operations.get(id)?.status === 'REGISTERED') t.bank.change(id, { status });
    await notice(real);
    return;
  }
  t.bank.verdict = { status };
  await suffering(real, fault, 'authorize', (deps) =>
    payAtCheckout(deps, String(checkoutToken), CARD, { address: undefined, language: 'ru' }),
  );
  t.bank.verdict = {};
}
const payOne = fc.record({ at, fault, status: usually('APPROVED', 'DECLINED', 'PENDING') }).map((given) =>
  step(`pay ${String(given.at)} ${given.status} ${given.fault}`, async (real) => {
    const id = pick(real.paymentIds, given.at);
    if (id !== undefined) await pay(real, id, given.status, given.fault);
  }),
);
/** Somebody at the bank decides what it works on. */
const bankDecides = fc
  .record({ at, isRefund: fc.boolean(), status: usually('APPROVED', 'DECLINED') })
  .map(({ at: index, isRefund, status }) =>
    step(`the bank decides ${isRefund ? 'refund' : 'payment'} ${String(index)} ${status}`, async (real) => {
      const id = pick(isRefund ? real.refundIds : real.paymentIds, index);
      if (id !== undefined && t.bank.operations.get(id)?.status === 'PENDING') t.bank.change(id, { status });
      await notice(real);
    }),
  );
/** A buyer who pays at the last moment, and a bank that needs longer than the session. */
const lateMoney = at.map((index) =>
  step(`late money for ${String(index)}`, async (real) => {
    const id = pick(real.paymentIds, index);
    if (id === undefined || (await t.payment(id))['status'] !== 'SUBMITTED') return;
    await pay(real, id, 'PENDING', 'none');
    await t.rows('update payments set expires_at = clock_now() where payment_id = $1', [id]);
    await passTime(real);
    if (t.bank.operations.get(id)?.status === 'PENDING') t.bank.change(id, { status: 'APPROVED' });
  }),
);
const cancelOne = fc.record({ at, fault }).map((given) =>
  step(`the partner cancels ${String(given.at)} ${given.fault}`, async (real) => {
    const id = pick(real.paymentIds, given.at);
    if (id === undefined) return;
    const { method } = await t.payment(id);
    const kind = method === 'CARD' ? 'card' : 'qr';
    await suffering(real, given.fault, 'cancel', (deps) =>
      cancelPayment(deps, request(`POST /api/${kind}/${id}/cancel`), {
        paymentId: id,
        methods: [method === 'CARD' ? 'CARD' : 'SBP_DYNAMIC_QR'],
      }),
    );
  }),
);
const sessionEnds = at.map((index) =>
  step(`the session of ${String(index)} ends`, async (real) => {
    const id = pick(real.paymentIds, index);
    if (id !== undefined) await t.rows('update payments set expires_at = least(expires_at, clock_now()) where payment_id = $1', [id]);
  }),
);
const refundSome = fc
  .record({
    at,
    tenths: fc.constantFrom(1n, 3n, 5n, 10n, undefined),
    fault,
    status: usually('APPROVED', 'DECLINED', 'PENDING'),
  })
  .map((given) =>
    step(`refund ${String(given.at)} ${String(given.tenths)}/10 ${given.status} ${given.fault}`, async (real) => {
      const id = pick(real.paymentIds, given.at);
      if (id === undefined) return;
      const { amount_kopecks: amount, method } = await t.payment(id);
      const part = given.tenths === undefined ? undefined : (BigInt(String(amount)) * given.tenths) / 10n;
      t.bank.refundVerdict = { status: given.status };
      await suffering(real, given.fault, 'refund', (deps) =>
        requestRefund(deps, request(`refund ${id}`), {
          paymentId: id,
          methods: [method === 'CARD' ? 'CARD' : 'SBP_DYNAMIC_QR'],
          amountKopecks: part === 0n ? 1n : part,
          reason: undefined,
          merchantRefundId: undefined,
        }),
      );
      t.bank.refundVerdict = {};
    }),
  );
/** A message of the bank, of any moment, once more: duplicates and what was overtaken. */
const oldMessage = fc.nat().map((index) =>
  step(`the bank says again ${String(index)}`, async (real) => {
    const message = real.said[index % Math.max(real.said.length, 1)];
    if (message === undefined) return;
    const { kind, id, operation } = message;
    const [word, asked] = [
      { status: 200, body: operation },
      { operationId: operation.operationId, creates: false },
    ];
    if (kind === 'payment') await recordOutcome(real.deps, { paymentId: id, operationId: null }, readOperation(word, asked));
    else await recordRefundOutcome(real.deps, id, readRefundOperation(word, asked));
    await notice(real);
  }),
);
const timePasses = fc.constant(step('time passes', (real) => passTime(real)));

/** Leases and pauses are over; the workers have a look. */
async function passTime(real: Real, deps: ApiDeps = real.deps): Promise<void> {
  const [where, values] = ours(real, 'payment_id');
  await t.rows(
    `update payments set lease_until = null, card_sent_at = card_sent_at - interval '2 minutes',
       next_read_at = case when next_read_at is null then null else clock_now() end where ${where}`,
    values,
  );
  await t.rows(`update refunds set next_read_at = clock_now() where next_read_at is not null and ${where}`, values);
  await t.rows(`update money_returns set next_attempt_at = clock_now() where next_attempt_at is not null and ${where}`, values);
  await followUpAll(deps);
  await workOff(returnLateMoneyLoop(deps));
  await notice(real);
}

const MOVES: Readonly<Record<PaymentStatus, object>> = PAYMENT_MOVES;
/** Whether the table leads from one state to the other, over states that nobody looked at. */
function leadsTo(from: PaymentStatus, to: PaymentStatus): boolean {
  const next = Object.keys(MOVES[from]) as PaymentStatus[];
  return next.includes(to) || next.some((one) => leadsTo(one, to));
}

const NEGATIVE = ['REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'];
const sum = (amounts: readonly unknown[]) => amounts.reduce<bigint>((total, one) => total + BigInt(String(one)), 0n);
const movedAtBank = (id: string) => {
  const operation = t.bank.operations.get(id);
  return operation?.status === 'APPROVED' ? BigInt(operation.amountKopecks) : 0n;
};

/** What must hold of one payment once the bank answers and the workers are done. */
async function expectAgreement(real: Real, id: string): Promise<void> {
  const payment = await t.payment(id);
  const status = String(payment['status']);
  const refunds = await t.rows('select * from refunds where payment_id = $1', [id]);
  const returns = await t.rows('select return_id from money_returns where payment_id = $1', [id]);
  const ofStatus = (...wanted: string[]) => refunds.filter((refund) => wanted.includes(String(refund['status'])));
  const amounts = (some: readonly Row[]) => sum(some.map((refund) => refund['amount_kopecks']));

  // The states are the table's.
  const states = real.seen.get(id) ?? [];
  states.slice(1).forEach((to, index) => {
    const from = states[index] ?? 'CREATED';
    if (!leadsTo(from, to)) throw new Error(`${from} → ${to} is no move`);
  });

  // The events are the states', in one gapless order.
  const messages = (await t.messages(id)).filter(({ type }) => type !== 'consent.given');
  expect(messages.map(({ payload }) => payload['aggregateVersion'])).toEqual(messages.map((_message, index) => index + 1));
  const count = (type: string) => messages.filter((message) => message.type === type).length;
  const isPaid = status === 'COMPLETED' || status === 'REFUNDED';
  expect([count('payment.completed'), count('payment.failed')]).toEqual([Number(isPaid), Number(NEGATIVE.includes(status))]);
  expect([count('refund.pending'), count('refund.completed'), count('refund.failed'), count('payment.refunded')]).toEqual([
    refunds.length,
    ofStatus('COMPLETED').length,
    ofStatus('FAILED').length,
    Number(status === 'REFUNDED'),
  ]);

  // Never more back than was paid, and REFUNDED exactly when all is.
  expect(BigInt(String(payment['refunded_kopecks']))).toBe(amounts(ofStatus('COMPLETED')));
  expect(BigInt(String(payment['refund_reserved_kopecks']))).toBe(amounts(ofStatus('COMPLETED', 'PENDING')));
  expect(status === 'REFUNDED').toBe(isPaid && payment['refunded_kopecks'] === payment['amount_kopecks']);

  // The bank and the ledger agree to the kopeck; what is in flight or in suspense is what is open.
  const backIds = [...refunds.map((refund) => String(refund['refund_id'])), ...returns.map((one) => String(one['return_id']))];
  const balance = async (account: string) =>
    sum(
      (
        await t.rows(
          `select amount_kopecks from ledger_entries join ledger_transactions using (ledger_transaction_id)
      where account = $1 and reference_id = any($2)`,
          [account, [id, ...backIds]],
        )
      ).map((entry) => entry['amount_kopecks']),
    );
  expect(await balance('ACQUIRER_CLEARING')).toBe(movedAtBank(id) - sum(backIds.map(movedAtBank)));
  expect(await balance('REFUNDS_IN_FLIGHT')).toBe(-amounts(ofStatus('PENDING')));
  expect(await balance('SUSPENSE')).toBe(0n);
}

/** How often the runs met what they are about. */
const met = { completed: 0, refunded: 0, negative: 0, refundFailed: 0, refundPartly: 0, lateSuccess: 0, sentAgain: 0, cancelled: 0 };

async function tally(real: Real): Promise<void> {
  const [where, values] = ours(real, 'payment_id');
  const count = async (table: string, condition: string) =>
    (await t.rows(`select from ${table} where ${condition} and ${where}`, values)).length;
  met.completed += await count('payments', `status = 'COMPLETED'`);
  met.refunded += await count('payments', `status = 'REFUNDED'`);
  met.negative += await count('payments', `status in ('REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED')`);
  met.cancelled += await count('payments', `failure_code = 'CANCELLED_BY_PARTNER'`);
  met.refundFailed += await count('refunds', `status = 'FAILED'`);
  met.refundPartly += await count('payments', `status = 'COMPLETED' and refunded_kopecks > 0`);
  met.lateSuccess += await count('exceptions', `kind = 'LATE_SUCCESS'`);
  met.sentAgain += await count('refunds', `status = 'COMPLETED' and read_count > 0`);
}

/** Every run begins with a paid card payment, and a code that can be paid. */
async function begin(real: Real): Promise<void> {
  const before = await known();
  await newCard(real.deps, 10_050n);
  await newQr(real.deps, 20_000n);
  await learnNew(real, before);
  const card = pick(real.paymentIds, Number(t.bank.operations.get(real.paymentIds[0] ?? '')?.method === 'SBP'));
  if (card !== undefined) await pay(real, card, 'APPROVED', 'none');
}

/** `PAYMENT_LIVES=300` plays others, and ten times as many. */
const LIVES = Number(process.env['PAYMENT_LIVES'] ?? 30);
/** `npm test` plays the same ones each time: others, by chance, may never meet one of what is counted below. */
const SEED = process.env['PAYMENT_LIVES'] === undefined ? {} : { seed: randomInt(2 ** 31) };

it('model: whatever happens in whatever order, books, events, states and the bank agree afterwards', async () => {
  // The commoner ones more than once: the choice is even.
  const steps = [
    createCard,
    createQr,
    payOne,
    payOne,
    payOne,
    bankDecides,
    bankDecides,
    lateMoney,
    sessionEnds,
    cancelOne,
    refundSome,
    refundSome,
    refundSome,
    refundSome,
    oldMessage,
    oldMessage,
    timePasses,
    timePasses,
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
      const real = await openReal();
      const healthy = acquirerFor();
      try {
        await begin(real);
        await fc.asyncModelRun(() => ({ model: {}, real }), commands);
        // The bank is well again: three looks end whatever can end.
        for (let look = 0; look < 3; look += 1) await passTime(real, { ...real.deps, acquirerOf: () => healthy });
        const trial = await readTrialBalance(t.deps.db);
        expect(sum(trial.map(({ balanceKopecks }) => balanceKopecks))).toBe(0n);
        expect(await listLedgerDifferences(t.deps.db, await sumEntries(t.deps.db))).toEqual([]);
        for (const id of real.paymentIds) await expectAgreement(real, id);
        await tally(real);
      } finally {
        await Promise.all([real.close(), healthy.close()]);
      }
    }),
    // A smaller example would cost minutes: the seed and the commands are printed, and the same run comes again with them.
    { numRuns: LIVES, endOnFailure: true, ...SEED },
  );
  // What was never met was not tested.
  expect(Object.entries(met).filter(([, count]) => count === 0)).toEqual([]);
});
