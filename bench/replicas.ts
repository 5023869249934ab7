import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from '../tools/infrastructure/provision.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';
import { resultTable } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;

/**
 * One replica of the gateway with everything on one core, then two replicas with everything on two: whether a second
 * replica serves what a second core can. Everything means gateway, services, PostgreSQL, broker and load generator.
 */
export function benchReplicas(): Promise<string> {
  return withSystem({ replicas: { gateway: 2 } }, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const [first, second] = [world.partner, world.partnerAt(2)];
    const pids = await everyProcess(world);
    const load = (seconds: number, one: () => Promise<void>): Promise<LoadResult> =>
      saturate({ concurrency: CONCURRENCY, seconds, warmUpSeconds: 4, one });
    try {
      pin(pids, '0');
      const one = await load(SECONDS, () => first.read(id));
      pin(await everyProcess(world), '0,1');
      let turn = 0;
      const two = await load(SECONDS, () => (turn++ % 2 === 0 ? first : second).read(id));
      return [
        `Status reads, closed loop, ${String(CONCURRENCY)} in flight, ${String(SECONDS)} s after 4 s of warm-up.`,
        '',
        resultTable([
          ['floor: one replica, everything on one core', one],
          ['two replicas, everything on two cores', two],
        ]),
        '',
        `Two ÷ one: ${(two.perSecond / one.perSecond).toFixed(2)} (target ≥ 1.6).`,
      ].join('\n');
    } finally {
      pin([process.pid], '0,1');
    }
  });
}

/** The system's processes, PostgreSQL's, and this one. */
async function everyProcess({ state }: World): Promise<number[]> {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const parent = parentOf(Number(name));
        return parent === undefined ? [] : [[Number(name), parent] as const];
      }),
  );
  const backend = await withClient(state.databaseAdminUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid ?? 0;
  });
  const postmaster = parents.get(backend);
  const servers = postmaster === undefined ? [] : [postmaster, ...[...parents].filter(([, of]) => of === postmaster).map(([pid]) => pid)]; // prettier-ignore
  return [process.pid, ...state.processes.map(({ record }) => record.pid), ...servers];
}

/** Undefined for a process that has ended meanwhile. */
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
