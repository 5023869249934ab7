import { ratios, withRange, type Report } from './figures.ts';
import { saturate } from './load.ts';
import { CONCURRENCY } from './partner.ts';
import { startBenchProcess } from './processes/start.ts';
import { table } from './table.ts';
import { LOAD_HEADER, loadFigures, loadRow, ROUNDS } from './rounds.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 12;
/** What a card create passes through. */
const RESTARTED = ['payments', 'gateway'] as const;

/** Whether a gateway and a payments that have just reported ready are as quick as later. */
export async function benchStart(): Promise<Report> {
  const bank = await startBenchProcess('bank');
  try {
    return await withSystem({ env: { payments: { SANDBOX_BANK_URL: bank.url } } }, measure);
  } finally {
    bank.stop();
  }
}

async function measure({ state, partner, restart }: World): Promise<Report> {
  const one = () => partner.create(state.partner.paymentPoints.card);
  const load = async () => ({
    load: await saturate({ concurrency: CONCURRENCY, seconds: SECONDS, warmUpSeconds: 0, one }),
  });
  // The load generator is warm, and PostgreSQL's cache is.
  await load();
  const [first, second, third]: Awaited<ReturnType<typeof load>>[][] = [[], [], []];
  const readyMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await restart(...RESTARTED);
    readyMs.push(performance.now() - begin);
    for (const seconds of [first, second, third]) seconds?.push(await load());
  }
  const rate = (rounds: Awaited<ReturnType<typeof load>>[] = []) => rounds.map((round) => round.load.perSecond);
  const share = ratios(rate(first), rate(third));
  const stretches = [first ?? [], second ?? [], third ?? []] as const;
  const text = [
    `Card creates after ${RESTARTED.join(' and ')} were stopped and started, ${String(CONCURRENCY)} requests in flight, ${String(ROUNDS)} rounds; medians, and the range of the rounds.`,
    '',
    table(
      LOAD_HEADER,
      stretches.map((rounds, index) =>
        loadRow(`from ${String(index * SECONDS)} s to ${String((index + 1) * SECONDS)} s after ready`, rounds),
      ),
    ),
    '',
    `First ÷ last, round by round: ${withRange(share)}. Both stopped and started again one after the other within ${withRange(readyMs)} ms.`,
  ].join('\n');
  const figures: Report['figures'] = [
    ...loadFigures('creates in the first 12 s', stretches[0]),
    ...loadFigures('creates in the third 12 s', stretches[2]),
    { name: 'creates, first 12 s ÷ third', unit: '', better: 'higher', values: share },
    { name: 'until ready', unit: 'ms', better: 'lower', values: readyMs },
  ];
  return { text, figures };
}
