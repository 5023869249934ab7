import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from '../tools/infrastructure/provision.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';
import { verifiesOnCores } from './signature.ts';
import { resultTable } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;
/** Until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 30;

/**
 * One gateway replica with everything on one core, then two with everything on two cores: whether a second replica
 * makes use of a second core. Everything means gateway, services, PostgreSQL and load generator. Payments has two
 * replicas in both cases; otherwise it would be a process that a second core cannot help.
 */
export function benchReplicas(): Promise<string> {
  return withSystem({ replicas: { gateway: 2, payments: 2 } }, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const [first, second] = [world.partner, world.partnerAt(2)];
    const pids = await everyProcess(world);
    const load = (seconds: number, one: () => Promise<void>): Promise<LoadResult> =>
      saturate({ concurrency: CONCURRENCY, seconds, warmUpSeconds: WARM_UP_SECONDS, one });
    const [oneCore, twoCores] = [await verifiesOnCores([0]), await verifiesOnCores([0, 1])];
    try {
      pin(pids, '0');
      const one = await load(SECONDS, () => first.read(id));
      pin(await everyProcess(world), '0,1');
      let turn = 0;
      const two = await load(SECONDS, () => (turn++ % 2 === 0 ? first : second).read(id));
      return [
        `Status reads, closed loop, ${String(CONCURRENCY)} in flight, ${String(SECONDS)} s after ${String(WARM_UP_SECONDS)} s of warm-up.`,
        '',
        resultTable([
          ['floor: one replica, everything on one core', one],
          ['two replicas, everything on two cores', two],
        ]),
        '',
        `Two ÷ one: ${(two.perSecond / one.perSecond).toFixed(2)} (target ≥ 1.6). Floor: two cores verify ${(twoCores / oneCore).toFixed(2)} times as many`,
        `signatures as one (${oneCore.toFixed(0)} and ${twoCores.toFixed(0)} a second, a process a core, nothing else running).`,
      ].join('\n');
    } finally {
      pin([process.pid], '0,1');
    }
  });
}

/** The processes of the system and of PostgreSQL, and this one. */
async function everyProcess({ state }: World): Promise<number[]> {
  const postmaster = await withClient(state.databaseAdminUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
  if (postmaster === undefined) throw new Error('PostgreSQL does not run on this machine');
  const backends = readdirSync('/proc').map(Number).filter((pid) => parentOf(pid) === postmaster); // prettier-ignore
  return [process.pid, ...state.processes.map(({ record }) => record.pid), postmaster, ...backends];
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
