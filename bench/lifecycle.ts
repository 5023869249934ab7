import { Pool } from 'undici';
import { addresses } from '../tools/system/environment.ts';
import { clientOf } from '../tools/system/partner.ts';
import type { SystemState } from '../tools/system/state.ts';
import { startBenchBank, type BenchBank } from './bank.ts';
import { floorOfLives } from './floor.ts';
import { paced, quantile, saturate } from './load.ts';
import { CONCURRENCY, type BenchPartner } from './partner.ts';
import { startHealthy } from './receivers.ts';
import { resultTable, table } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 20;
/** Until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 30;
const PACED_WARM_UP_SECONDS = 5;
const PACED_SECONDS = 60;
const REQUESTS_PER_SECOND = 100;
const CALLBACK_MS_MAX = 60_000;
const SERVICES = ['gateway', 'payments', 'checkout', 'bindings', 'notifier'] as const;

/** The whole life of a card payment: created, checkout opened, paid, booked, callback delivered. */
export async function benchLifecycle(): Promise<string> {
  const bank = await startBenchBank();
  const callbacks = createCallbacks();
  const receiver = await startHealthy(callbacks.arrived);
  try {
    const ourBank = { SANDBOX_BANK_URL: bank.url };
    return await withSystem({ env: { payments: ourBank, checkout: ourBank } }, async (world) => {
      await tellCallbacksTo(world.state, receiver.url);
      const buyer = createBuyer(addresses(world.state).formUrl);
      const steps = { bank, callbacks, buyer, partner: world.partner, point: world.state.partner.paymentPoints.card };
      const saturation = await atSaturation(world, steps);
      // A life is three requests. Above the machine's capacity, latency is only the length of the queue.
      const half = await atPace(steps, Math.round((saturation.perSecond * 3) / 2));
      const wanted = await atPace(steps, REQUESTS_PER_SECOND);
      await buyer.close();
      return [saturation.text, half, wanted].join('\n\n');
    });
  } finally {
    receiver.close();
    bank.close();
  }
}

async function atSaturation(world: World, { partner, point, buyer, callbacks }: Steps): Promise<Saturation> {
  const cpuBefore = await Promise.all(SERVICES.map((service) => world.cpuMs(service)));
  const begun = callbacks.count();
  const lives = await saturate({
    concurrency: CONCURRENCY,
    seconds: SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
    one: async () => {
      const { id, paymentUrl } = await partner.create(point);
      await buyer.open(paymentUrl);
      await buyer.pay(paymentUrl);
      await callbacks.of(id);
    },
  });
  const cpuAfter = await Promise.all(SERVICES.map((service) => world.cpuMs(service)));
  const count = callbacks.count() - begun;
  const { gateway, payments } = world.state.databaseUrls;
  if (gateway === undefined || payments === undefined) throw new Error('the system has no databases');
  const template = { partnerId: world.state.partner.partnerID, pointId: point, routeId: 'sandbox-bank' };
  const text = [
    `Closed loop, ${String(CONCURRENCY)} lives at once, ${String(SECONDS)} s after ${String(WARM_UP_SECONDS)} s of warm-up. The bank is the bench's own: it approves at once.`,
    '',
    resultTable([
      ['lives: create, form opened, card, booked, callback arrived', lives],
      ['floor: the statements of a life on a bare pg pool', await floorOfLives({ gateway, payments }, template)],
    ]),
    '',
    table(
      ['CPU', ...SERVICES],
      [
        [
          'ms a life',
          ...SERVICES.map((_service, index) => (((cpuAfter[index] ?? 0) - (cpuBefore[index] ?? 0)) / count).toFixed(2)),
        ],
      ],
    ),
  ].join('\n');
  return { text, perSecond: lives.perSecond };
}

type Saturation = { readonly text: string; readonly perSecond: number };
type Step = 'create' | 'open' | 'pay';
type Open = { readonly id: string; readonly paymentUrl: string };

/** Each request is due at its own time, whatever happened to earlier ones: waiting in line counts. */
async function atPace({ partner, point, buyer, bank, callbacks }: Steps, perSecond: number): Promise<string> {
  const samples: Record<Step, number[]> = { create: [], open: [], pay: [] };
  const created: Open[] = [];
  const opened: Open[] = [];
  const toldMs: number[] = [];
  let turn = 0;
  const countFrom = performance.now() + PACED_WARM_UP_SECONDS * 1_000;
  const step = async (dueAt: number): Promise<void> => {
    const what = (['create', 'open', 'pay'] as const)[turn % 3] ?? 'create';
    turn += 1;
    const waiting = what === 'open' ? created.shift() : what === 'pay' ? opened.shift() : undefined;
    // The first turns have no earlier step to continue.
    if (what !== 'create' && waiting === undefined) return;
    const payment = waiting ?? (await partner.create(point));
    if (what === 'open') await buyer.open(payment.paymentUrl);
    if (what === 'pay') await buyer.pay(payment.paymentUrl);
    const bankMs = what === 'open' ? 0 : bank.tookMs(payment.id);
    if (dueAt >= countFrom) samples[what].push(performance.now() - dueAt - bankMs);
    if (what === 'create') created.push(payment);
    if (what === 'open') opened.push(payment);
    if (what !== 'pay') return;
    const arrivedAt = await callbacks.of(payment.id);
    if (dueAt >= countFrom) toldMs.push(arrivedAt - (bank.approvedAt(payment.id) ?? arrivedAt));
  };
  const { failed } = await paced({
    perSecond,
    seconds: PACED_SECONDS,
    warmUpSeconds: PACED_WARM_UP_SECONDS,
    one: step,
  });
  const rows: [string, number[]][] = [
    ['every request', [...samples.create, ...samples.open, ...samples.pay]],
    ['create: the partner’s request to its answer', samples.create],
    ['form: opened', samples.open],
    ['card: sent to answered, booked', samples.pay],
    ['the bank’s yes to the callback’s arrival', toldMs],
  ];
  return [
    `Open loop, ${String(perSecond)} requests a second (a life is three), ${String(PACED_SECONDS)} s; from the moment when each was due, the bank's time taken out. Failed: ${String(failed)}.`,
    '',
    table(
      ['added by the platform', 'p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'requests'],
      rows.map(([what, latencies]) => {
        const sorted = latencies.toSorted((a, b) => a - b);
        return [what, ...[0.5, 0.9, 0.99, 0.999].map((share) => quantile(sorted, share).toFixed(1)), sorted.length];
      }),
    ),
  ].join('\n');
}

type Steps = {
  readonly partner: BenchPartner;
  readonly point: string;
  readonly buyer: ReturnType<typeof createBuyer>;
  readonly bank: BenchBank;
  readonly callbacks: ReturnType<typeof createCallbacks>;
};

/** Buyers' browsers, without a browser's overhead. */
function createBuyer(formUrl: string) {
  const pool = new Pool(formUrl, { connections: CONCURRENCY, pipelining: 1 });
  const body = new URLSearchParams({ number: '4111111111111111', expiry: '12/34', cvv: '123' }).toString();
  const send = async (method: 'GET' | 'POST', url: string, expected: number): Promise<void> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const path = new URL(url).pathname;
    const answer = await pool.request(method === 'GET' ? { method, path } : { method, path, body, headers });
    await answer.body.dump();
    if (answer.statusCode !== expected) throw new Error(`${method} of the form answered ${String(answer.statusCode)}`);
  };
  return {
    open: (paymentUrl: string) => send('GET', paymentUrl, 200),
    pay: (paymentUrl: string) => send('POST', `${paymentUrl}/card`, 303),
    close: () => pool.close(),
  };
}

/** Callbacks as they arrive; each is awaited once. */
function createCallbacks() {
  const at = new Map<string, number>();
  const waiters = new Map<string, (arrivedAt: number) => void>();
  let count = 0;
  return {
    count: () => count,
    arrived: (body: Buffer): void => {
      const [, orderId = ''] = /"orderId": ?"([0-9a-f-]{36})"/.exec(body.toString('latin1')) ?? [];
      count += 1;
      at.set(orderId, performance.now());
      waiters.get(orderId)?.(performance.now());
      waiters.delete(orderId);
    },
    of: (id: string): Promise<number> => {
      const arrivedAt = at.get(id);
      if (arrivedAt !== undefined) return Promise.resolve(arrivedAt);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`no callback of ${id}`));
        }, CALLBACK_MS_MAX);
        waiters.set(id, (now) => {
          clearTimeout(timer);
          resolve(now);
        });
      });
    },
  };
}

async function tellCallbacksTo(state: SystemState, callbackUrl: string): Promise<void> {
  const client = clientOf(addresses(state).baseUrl, state.partner);
  try {
    const { returnUrl } = await client.readEndpoints();
    if (returnUrl === null) throw new Error('the demo partner has no addresses');
    await client.saveEndpoints({ callbackUrl, returnUrl });
  } finally {
    client.close();
  }
}
