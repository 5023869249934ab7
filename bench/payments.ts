import { startBarePath, type BarePath } from './bare/start.ts';
import type { Figure, Report } from './figures.ts';
import { withRange } from './figures.ts';
import { watchOwnUsage } from './processes/report.ts';
import { startBenchProcess, type BenchProcess } from './processes/start.ts';
import { partnerOf } from './partner.ts';
import { table } from './table.ts';
import { byTurns, LOAD_HEADER, loadFigures, loadRow, ratioFigure, TURNS_TEXT, type Turn } from './turns.ts';
import { withSystem, type World } from './world.ts';
import { readIdentity } from '../packages/sdk/src/sign.ts';

/** What is read of the processes before and after a turn. */
type Reading = {
  /** Processor time of the two processes behind the measured address, in milliseconds. */
  readonly cpuMs: { readonly gateway: number; readonly payments: number };
  readonly rssMiB: { readonly gateway: number; readonly payments: number };
};

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
  const [ours, theirs] = [() => readingOfOurs(world), () => readingOfBare(bare)];
  try {
    const [mine, other] = [await world.partner.create(card), await direct.create(card)];
    const [creates = [], bareCreates = []] = await byTurns([
      { one: () => world.partner.create(card), read: ours },
      { one: () => direct.create(card), read: theirs },
    ]);
    const [reads = [], bareReads = []] = await byTurns([
      { one: () => world.partner.read(mine.id), read: ours },
      { one: () => direct.read(other.id), read: theirs },
    ]);
    const createRatio = ratioFigure('creates, ours ÷ bare', creates, bareCreates);
    const readRatio = ratioFigure('status reads, ours ÷ bare', reads, bareReads);
    const [own, bankUsage] = [ownUsage(), await bank.usage()];
    const memory = memoryFigures([...creates, ...reads]);
    const cpu = [...cpuFigures('create', creates, bareCreates), ...cpuFigures('status read', reads, bareReads)];
    const text = [
      `${TURNS_TEXT} The bank is in memory, in a process of its own, and the same for both.`,
      '',
      table(LOAD_HEADER, [
        loadRow('card creates, signed, through gateway, payments and bank', creates),
        loadRow('bare path: the same hops, none of the rules', bareCreates),
        loadRow('status reads, signed, through gateway and payments', reads),
        loadRow('bare path: the same hops, none of the rules', bareReads),
      ]),
      '',
      `Ours ÷ bare, turn by turn: creates ${withRange(createRatio.values)} (target ≥ 0.75), status reads ${withRange(readRatio.values)} (target ≥ 0.8).`,
      '',
      table(['processor time of a request', 'ms'], cpu.map(({ name, values }) => [name, withRange(values)])), // prettier-ignore
      '',
      `Resident memory at the end of a turn (target < 200): ${memory.map(({ name, values }) => `${name} ${withRange(values)} MiB`).join(', ')}.`,
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

async function readingOfOurs({ usageOf }: World): Promise<Reading> {
  const [gateway, payments] = await Promise.all([usageOf('gateway'), usageOf('payments')]);
  return {
    cpuMs: { gateway: gateway.cpuMs, payments: payments.cpuMs },
    rssMiB: { gateway: gateway.rssMiB, payments: payments.rssMiB },
  };
}

async function readingOfBare(bare: BarePath): Promise<Reading> {
  const [gateway, payments] = await Promise.all([bare.gateway.usage(), bare.payments.usage()]);
  return {
    cpuMs: { gateway: gateway.cpuMs, payments: payments.cpuMs },
    rssMiB: { gateway: gateway.rssMiB, payments: payments.rssMiB },
  };
}

function cpuFigures(what: string, ours: readonly Turn<Reading>[], bare: readonly Turn<Reading>[]): Figure[] {
  return (['gateway', 'payments'] as const).flatMap((program) =>
    [
      { name: program, turns: ours },
      { name: `bare ${program}`, turns: bare },
    ].map(({ name, turns }) => ({
      name: `${what}: ${name}, processor time`,
      unit: 'ms',
      better: 'lower' as const,
      values: turns.map(({ load, before, after }) => (after.cpuMs[program] - before.cpuMs[program]) / load.done),
    })),
  );
}

function memoryFigures(turns: readonly Turn<Reading>[]): Figure[] {
  return (['gateway', 'payments'] as const).map((program) => ({
    name: `${program}, resident`,
    unit: 'MiB',
    better: 'lower',
    values: turns.map(({ after }) => after.rssMiB[program]),
  }));
}
