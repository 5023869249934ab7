import { Pool } from 'undici';
import { addresses } from '../tools/system/environment.ts';
import { clientOf } from '../tools/system/partner.ts';
import type { SystemState } from '../tools/system/state.ts';
import { startArrivalClock, type Arrivals } from './callback-arrivals.ts';
import { median, quantile, withRange, type Figure, type Report } from './figures.ts';
import { inSteps, machineMs, paced } from './load.ts';
import { CONCURRENCY, type BenchPartner } from './partner.ts';
import { watchOwnUsage } from './processes/report.ts';
import { startBenchProcess } from './processes/start.ts';
import type { Usage } from './processes/messages.ts';
import { table } from './table.ts';
import { inRounds, LOAD_HEADER, loadFigures, loadRow, ROUNDS, ROUNDS_TEXT } from './rounds.ts';
import { withSystem, type World } from './world.ts';

const PACED_WARM_UP_SECONDS = 3;
const PACED_SECONDS = 20;
const REQUESTS_PER_SECOND = 100;
/** Of the rate at saturation. Above it, latency is only the length of the queue. */
const NEARLY = 0.8;
/** A buyer takes about this long between two steps; each step is due at its own time. */
const STEP_MS = 1_000;
/** A callback later than this has failed: its life ends there. */
const CALLBACK_MS_MAX = 10_000;
const SERVICES = ['gateway', 'payments', 'checkout', 'bindings', 'notifier'] as const;

/** The whole life of a card payment: created, checkout opened, paid, booked, callback delivered. */
export async function benchLifecycle(): Promise<Report> {
  const banked = createBanked();
  const bank = await startBenchProcess('bank', {}, banked.saw);
  const arrivals = await startArrivalClock();
  try {
    const ourBank = { SANDBOX_BANK_URL: bank.url };
    return await withSystem({ env: { payments: ourBank, checkout: ourBank } }, async (world) => {
      await sendCallbacksTo(world.state, `${arrivals.receiver.url}/`);
      const buyer = createBuyer(addresses(world.state).checkoutUrl);
      const ownUsage = watchOwnUsage();
      const lagsOf = async () => ({
        generator: ownUsage(),
        bank: await bank.usage(),
        receiver: await arrivals.receiver.usage(),
      });
      const { card: point } = world.state.partner.paymentPoints;
      const steps = { banked, arrivals, buyer, lagsOf, partner: world.partner, point };
      const saturation = await atSaturation(world, steps);
      // A life is three requests.
      const nearly = await atPace(steps, Math.round(saturation.perSecond * 3 * NEARLY), `${String(NEARLY * 100)} % of saturation`);
      const wanted = await atPace(steps, REQUESTS_PER_SECOND, `${String(REQUESTS_PER_SECOND)} requests/s`);
      await buyer.close();
      return {
        text: [saturation, nearly, wanted].map(({ text }) => text).join('\n\n'),
        figures: [saturation, nearly, wanted].flatMap(({ figures }) => figures),
      };
    });
  } finally {
    arrivals.receiver.stop();
    bank.stop();
  }
}

async function atSaturation(
  world: World,
  { partner, point, buyer, arrivals, lagsOf }: Steps,
): Promise<Report & { readonly perSecond: number }> {
  const one = async (): Promise<void> => {
    const { id, paymentUrl } = await partner.create(point);
    await buyer.open(paymentUrl);
    await buyer.pay(paymentUrl);
    await arrivals.of(id, CALLBACK_MS_MAX);
  };
  const read = () => Promise.all(SERVICES.map((service) => world.usageOf(service)));
  const [lives = []] = await inRounds([{ one, read }]);
  const perService = SERVICES.map((service, index) => ({
    service,
    cpuMs: lives.map(({ load, before, after }) => ((after[index]?.cpuMs ?? 0) - (before[index]?.cpuMs ?? 0)) / load.done),
    rssMiB: lives.map(({ after }) => after[index]?.rssMiB ?? 0),
  }));
  const text = [
    `${ROUNDS_TEXT} The bank is the bench's own: it approves at once.`,
    '',
    table(LOAD_HEADER, [loadRow('lives: create, form opened, card, booked, callback arrived', lives)]),
    '',
    table(
      ['of each service', ...SERVICES],
      [
        ['processor time of a life, ms', ...perService.map(({ cpuMs }) => withRange(cpuMs))],
        ['resident memory, MiB (target < 200)', ...perService.map(({ rssMiB }) => withRange(rssMiB))],
      ],
    ),
    '',
    lagLine(await lagsOf()),
  ].join('\n');
  const figures: Figure[] = [
    ...loadFigures('lives', lives),
    ...perService.flatMap(({ service, cpuMs, rssMiB }): Figure[] => [
      { name: `processor time of a life: ${service}`, unit: 'ms', better: 'lower', values: cpuMs },
      { name: `resident: ${service}`, unit: 'MiB', better: 'lower', values: rssMiB },
    ]),
  ];
  return { text, figures, perSecond: median(lives.map(({ load }) => load.perSecond)) };
}

const SHARES = [0.5, 0.9, 0.99, 0.999] as const;
type Step = 'create' | 'open' | 'pay';
type Sample = { readonly step: Step | 'callback'; readonly id: string; readonly ms: number };

/** Runs of lives whose every request is due at its own time, whatever happened to earlier ones. */
async function atPace(steps: Steps, perSecond: number, what: string): Promise<Report> {
  const runs: (readonly Sample[])[] = [];
  let failed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const run = await pacedLives(steps, perSecond);
    runs.push(run.samples);
    failed += run.failed;
  }
  const rows: [string, (sample: Sample) => boolean][] = [
    ['every request', ({ step }) => step !== 'callback'],
    ['create: the partner’s request to its answer', ({ step }) => step === 'create'],
    ['form: opened', ({ step }) => step === 'open'],
    ['card: sent to answered, booked', ({ step }) => step === 'pay'],
    ['the bank’s yes to the callback’s arrival', ({ step }) => step === 'callback'],
  ];
  const quantilesOfRuns = (isMeant: (sample: Sample) => boolean, share: number) =>
    runs.map((run) =>
      quantile(
        run
          .filter(isMeant)
          .map(({ ms }) => ms)
          .toSorted((a, b) => a - b),
        share,
      ),
    );
  const figures = rows.flatMap(([name, isMeant]) =>
    [0.5, 0.99].map((share): Figure => ({
      name: `added at ${what}, p${String(share * 100)}: ${name}`,
      unit: 'ms',
      better: 'lower',
      values: quantilesOfRuns(isMeant, share),
    })),
  );
  const text = [
    `Open loop, ${String(perSecond)} requests a second (${what}; a life is three), ${String(ROUNDS)} runs of ${String(PACED_SECONDS)} s; each from the moment when it was due, the bank's time taken out. Lives that failed: ${String(failed)}; their requests count with the time that they took.`,
    '',
    table(
      ['added by the platform', ...SHARES.map((share) => `p${String(share * 100)} ms`), 'requests'],
      rows.map(([name, isMeant]) => [
        name,
        ...SHARES.map((share) => withRange(quantilesOfRuns(isMeant, share))),
        runs.flat().filter(isMeant).length,
      ]),
    ),
    '',
    lagLine(await steps.lagsOf()),
  ].join('\n');
  return { text, figures };
}

async function pacedLives(
  { partner, point, buyer, banked, arrivals, lagsOf }: Steps,
  perSecond: number,
): Promise<{ samples: readonly Sample[]; failed: number }> {
  const [samples, ended]: [Sample[], { id: string; endedAt: number }[]] = [[], []];
  const lifeMs = 3_000 / perSecond;
  // The steps of different lives fall between each other, evenly.
  const apartMs = Math.ceil(STEP_MS / lifeMs) * lifeMs + lifeMs / 3;
  const { failed } = await paced({
    perSecond: perSecond / 3,
    seconds: PACED_SECONDS,
    warmUpSeconds: PACED_WARM_UP_SECONDS,
    one: async (dueAt, isCounted) => {
      let [id, paymentUrl] = ['', ''];
      const taken = await inSteps<Step>({ dueAt, apartMs }, [
        ['create', async () => ({ id, paymentUrl } = await partner.create(point))],
        ['open', () => buyer.open(paymentUrl)],
        ['pay', () => buyer.pay(paymentUrl)],
      ]);
      if (isCounted) samples.push(...taken.map(({ name, ms }) => ({ step: name, id, ms })));
      if (taken.some((step) => step.failed)) throw new Error('a step failed');
      const arrivedAt = await arrivals.of(id, CALLBACK_MS_MAX).catch(() => undefined);
      if (isCounted) ended.push({ id, endedAt: arrivedAt ?? machineMs() });
      if (arrivedAt === undefined) throw new Error('no callback');
    },
  });
  // What the bank saw is complete once it has answered.
  await lagsOf();
  const added = samples.map((sample) => ({ ...sample, ms: Math.max(0, sample.ms - banked.tookMs(sample)) }));
  const callbacks = ended.map(({ id, endedAt }): Sample => ({ step: 'callback', id, ms: endedAt - banked.approvedAt(id) }));
  return { samples: [...added, ...callbacks], failed };
}

type Lags = Readonly<Record<'generator' | 'bank' | 'receiver', Usage>>;

const lagLine = (lags: Lags) =>
  `Event loop's lag, p99 and most: ${Object.entries(lags)
    .map(([name, { lagP99Ms, lagMaxMs }]) => `${name} ${lagP99Ms.toFixed(1)} and ${lagMaxMs.toFixed(1)} ms`)
    .join(', ')}.`;

type Steps = {
  readonly partner: BenchPartner;
  readonly point: string;
  readonly buyer: ReturnType<typeof createBuyer>;
  readonly banked: ReturnType<typeof createBanked>;
  readonly arrivals: Arrivals;
  readonly lagsOf: () => Promise<Lags>;
};

/** What the bank did for each payment. */
function createBanked() {
  const [registered, approved] = [new Map<string, number>(), new Map<string, number>()];
  const approvedAt = new Map<string, number>();
  return {
    saw: ({ what, id, atMs, tookMs }: { what: string; id: string; atMs: number; tookMs: number }): void => {
      if (what === 'registered') registered.set(id, tookMs);
      else {
        approved.set(id, tookMs);
        approvedAt.set(id, atMs);
      }
    },
    /** @throws Error if it approved no card of this payment */
    approvedAt(id: string): number {
      const at = approvedAt.get(id);
      if (at === undefined) throw new Error(`the bank approved no card of ${id}`);
      return at;
    },
    /** The bank's part of a step. */
    tookMs: ({ step, id }: Sample) => (step === 'create' ? registered.get(id) : step === 'pay' ? approved.get(id) : 0) ?? 0,
  };
}

/** Buyers' browsers, without a browser's overhead. */
function createBuyer(checkoutUrl: string) {
  const pool = new Pool(checkoutUrl, { connections: CONCURRENCY, pipelining: 1 });
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

async function sendCallbacksTo(state: SystemState, callbackUrl: string): Promise<void> {
  const client = clientOf(addresses(state).baseUrl, state.partner);
  try {
    const { returnUrl } = await client.readEndpoints();
    if (returnUrl === null) throw new Error('the demo partner has no addresses');
    await client.saveEndpoints({ callbackUrl, returnUrl });
  } finally {
    client.close();
  }
}
