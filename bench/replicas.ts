import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from '../tools/infrastructure/provision.ts';
import { withRange, type Report } from './figures.ts';
import { startBenchProcess, type BenchProcess } from './processes/start.ts';
import { verifiesOnCores } from './signature.ts';
import { table } from './table.ts';
import { inRounds, LOAD_HEADER, loadFigures, loadRow, ratioFigure, ROUNDS_TEXT } from './rounds.ts';
import { withSystem, type World } from './world.ts';

/**
 * Card creates of one gateway and one payments with everything on one core, then of two and two with everything on two
 * cores: whether a second replica makes use of a second core. Everything means gateway, services, PostgreSQL, the bank and
 * the load generator. Each is a system of its own, because a replica that rests would still be called.
 */
export async function benchReplicas(): Promise<Report> {
  const [oneCore, twoCores] = [await verifiesOnCores([0]), await verifiesOnCores([0, 1])];
  const one = await measured(1, '0');
  const two = await measured(2, '0,1');
  const ratio = ratioFigure('two replicas ÷ one, creates', two, one);
  const text = [
    ROUNDS_TEXT.replace(', alternating', ''),
    '',
    table(LOAD_HEADER, [
      loadRow('card creates: one gateway, one payments, everything on one core', one),
      loadRow('card creates: two and two, everything on two cores', two),
    ]),
    '',
    `Two ÷ one: ${withRange(ratio.values)} (target ≥ 1.6). Floor: two cores verify ${(twoCores / oneCore).toFixed(2)} times as many`,
    `signatures as one (${oneCore.toFixed(0)} and ${twoCores.toFixed(0)} a second, a process a core, nothing else running).`,
  ].join('\n');
  return { text, figures: [...loadFigures('one', one), ...loadFigures('two', two), ratio] };
}

async function measured(replicas: number, cores: string) {
  const bank = await startBenchProcess('bank');
  const env = { payments: { SANDBOX_BANK_URL: bank.url } };
  try {
    return await withSystem({ replicas: { gateway: replicas, payments: replicas }, env }, async (world) => {
      const partners = Array.from({ length: replicas }, (_none, index) => world.partnerAt(index + 1));
      const { card } = world.state.partner.paymentPoints;
      await Promise.all(partners.map((partner) => partner.create(card)));
      let round = 0;
      const one = async () => {
        round += 1;
        await partners[round % replicas]?.create(card);
      };
      const [rounds = []] = await inRounds([
        {
          one,
          read: async () => {
            pin(await everyProcess(world, bank), cores);
          },
        },
      ]);
      return rounds;
    });
  } finally {
    pin([process.pid], '0,1');
    bank.stop();
  }
}

/** The processes of the system and of PostgreSQL, and this one. */
async function everyProcess({ state }: World, bank: BenchProcess): Promise<number[]> {
  const postmaster = await withClient(state.databaseAdminUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
  if (postmaster === undefined) throw new Error('PostgreSQL does not run on this machine');
  const backends = readdirSync('/proc')
    .map(Number)
    .filter((pid) => parentOf(pid) === postmaster);
  return [process.pid, bank.pid, ...state.processes.map(({ record }) => record.pid), postmaster, ...backends];
}

/** Undefined for a process that has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Linux only: all threads of these processes run on these cores from now on. */
function pin(pids: readonly number[], cores: string): void {
  for (const pid of pids) spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]);
}
