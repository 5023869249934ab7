import { startBarePath, type BarePath } from './bare/start.ts';
import type { Figure, Report } from './figures.ts';
import { withRange } from './figures.ts';
import { watchOwnUsage } from './processes/report.ts';
import { startBenchProcess, type BenchProcess } from './processes/start.ts';
import { partnerOf } from './partner.ts';
import { msOfOne, processorTimeTable, watchEverything, type Usages } from './processor-time.ts';
import { table } from './table.ts';
import { inRounds, LOAD_HEADER, loadFigures, loadRow, ratioFigure, ROUNDS_TEXT, type Round } from './rounds.ts';
import { withSystem, type World } from './world.ts';
import { readIdentity } from '../packages/sdk/src/sign.ts';

/** Signed card creates and status reads through the whole system, by turns with a bare path of the same hops. */
export async function benchPayments(): Promise<Report> {
  const bank = await startBenchProcess('bank');
  try {
    return await withSystem({ env: { payments: { SANDBOX_BANK_URL: bank.url } } }, async (world) => {
      const bare = await startBarePath(world.state, bank.url);
      try {
        return await measure(world, bare, bank);
      } finally {
        bare.stop();
      }
    });
  } finally {
    bank.stop();
  }
}

async function measure(world: World, bare: BarePath, bank: BenchProcess): Promise<Report> {
  const { card } = world.state.partner.paymentPoints;
  const direct = partnerOf(bare.gateway.url, readIdentity(world.state.partner));
  const ownUsage = watchOwnUsage();
  const read = await watchEverything(world, {
    bank,
    [bareOf('gateway')]: bare.gateway,
    [bareOf('payments')]: bare.payments,
  });
  try {
    const [mine, other] = [await world.partner.create(card), await direct.create(card)];
    const [creates = [], bareCreates = []] = await inRounds([
      { one: () => world.partner.create(card), read },
      { one: () => direct.create(card), read },
    ]);
    const [reads = [], bareReads = []] = await inRounds([
      { one: () => world.partner.read(mine.id), read },
      { one: () => direct.read(other.id), read },
    ]);
    const createRatio = ratioFigure('creates, ours ÷ bare', creates, bareCreates);
    const readRatio = ratioFigure('status reads, ours ÷ bare', reads, bareReads);
    const [own, bankUsage] = [ownUsage(), await bank.usage()];
    const memory = memoryFigures([...creates, ...reads]);
    const cpu = [...cpuFigures('create', creates, bareCreates), ...cpuFigures('status read', reads, bareReads)];
    const text = [
      `${ROUNDS_TEXT} The bank is in memory, in a process of its own, and the same for both.`,
      '',
      table(LOAD_HEADER, [
        loadRow('card creates, signed, through gateway, payments and bank', creates),
        loadRow('bare path: the same hops, none of the rules', bareCreates),
        loadRow('status reads, signed, through gateway and payments', reads),
        loadRow('bare path: the same hops, none of the rules', bareReads),
      ]),
      '',
      `Ours ÷ bare, round by round: creates ${withRange(createRatio.values)} (target ≥ 0.75), status reads ${withRange(readRatio.values)} (target ≥ 0.8).`,
      '',
      processorTimeTable([
        ['create', creates],
        ['bare create', bareCreates],
        ['status read', reads],
        ['bare status read', bareReads],
      ]),
      '',
      `Resident memory at the end of a round (target < 200): ${memory.map(({ name, values }) => `${name} ${withRange(values)} MiB`).join(', ')}.`,
      `Event loop's lag, p99 and most: generator ${own.lagP99Ms.toFixed(1)} and ${own.lagMaxMs.toFixed(1)} ms, bank ${bankUsage.lagP99Ms.toFixed(1)} and ${bankUsage.lagMaxMs.toFixed(1)} ms.`,
    ].join('\n');
    const figures = [
      ...loadFigures('creates', creates),
      ...loadFigures('bare creates', bareCreates),
      createRatio,
      ...loadFigures('status reads', reads),
      ...loadFigures('bare status reads', bareReads),
      readRatio,
      ...cpu,
      ...memory,
    ];
    return { text, figures };
  } finally {
    await direct.close();
  }
}

const PROGRAMS = ['gateway', 'payments'] as const;
const bareOf = (program: (typeof PROGRAMS)[number]) => `bare ${program}`;

function cpuFigures(what: string, ours: readonly Round<Usages>[], bare: readonly Round<Usages>[]): Figure[] {
  return PROGRAMS.flatMap((program) =>
    [
      { group: program, rounds: ours },
      { group: bareOf(program), rounds: bare },
    ].map(({ group, rounds }) => ({
      name: `${what}: ${group}, processor time`,
      unit: 'ms',
      better: 'lower' as const,
      values: msOfOne(group, rounds),
    })),
  );
}

function memoryFigures(rounds: readonly Round<Usages>[]): Figure[] {
  return PROGRAMS.map((program) => ({
    name: `${program}, resident`,
    unit: 'MiB',
    better: 'lower',
    values: rounds.map(({ after }) => after.get(program)?.residentMiB ?? NaN),
  }));
}
