import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { serversOf, watchUsage } from './usage.ts';
import type { Report } from './figures.ts';
import { table } from './table.ts';
import { serverMarks, withSystem } from './world.ts';

/** Until every program has loaded what it needs and collected its garbage. */
const REST_SECONDS = 30;
const SECONDS = 60;
const FLOOR = 'floor: a Node process that only waits';

/** What the whole system costs while nobody uses it: every program, PostgreSQL and RabbitMQ. */
export function benchIdle(): Promise<Report> {
  return withSystem({}, async ({ state, servers }) => {
    const marks = await serverMarks(servers);
    const programs = state.processes.map(({ program, record }) => [record.pid, program] as const);
    const bare = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 2 ** 30)'], { stdio: 'ignore' });
    await wait(REST_SECONDS * 1_000);
    const used = watchUsage(() => new Map([...serversOf(marks), ...programs, [bare.pid ?? 0, FLOOR]]));
    await wait(SECONDS * 1_000);
    const usages = [...used()].sort(([, a], [, b]) => b.cpuMs - a.cpuMs);
    bare.kill();
    await once(bare, 'exit');
    const wholeMs = usages.reduce((sum, [group, { cpuMs }]) => (group === FLOOR ? sum : sum + cpuMs), 0);
    const share = wholeMs / SECONDS / 10;
    const text = [
      `A started system that nobody uses: ${String(SECONDS)} s after ${String(REST_SECONDS)} s of rest, load average ${String(loadavg()[0]?.toFixed(1))}.`,
      '',
      table(
        ['process', 'ms of CPU a second', 'resident MiB'],
        usages.map(([group, { cpuMs, residentMiB }]) => [group, (cpuMs / SECONDS).toFixed(1), residentMiB.toFixed(0)]),
      ),
      '',
      `All of it: ${share.toFixed(1)} % of one core (target < 4 %).`,
    ].join('\n');
    return { text, figures: [{ name: 'of one core', unit: '%', better: 'lower', values: [share] }] };
  });
}
