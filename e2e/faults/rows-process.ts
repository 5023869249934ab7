import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { OwnProgram, ProgramName } from '../../tools/system/state.ts';
import { programOnPath } from '../../tools/infrastructure/programs.ts';
import type { FaultSystem, LinkName } from './system.ts';
import type { Row } from './table.ts';

/** Freezes one replica (SIGSTOP), and lets it continue. */
async function frozen({ world }: FaultSystem, program: ProgramName, replica: number, seconds: number): Promise<void> {
  await world.system.kill(program, 'SIGSTOP', replica);
  await wait(seconds * 1_000);
  await world.system.kill(program, 'SIGCONT', replica);
}

/** The replica of payments whose relay is the leader. */
async function leaderOf({ world, query }: FaultSystem): Promise<number> {
  const [lease] = await query<{ fence: string }>('select fence::text as fence from payments.relay_lease');
  const leads = (replica: number) =>
    readFileSync(join(world.system.logs, `payments-${String(replica)}.log`), 'utf8').includes(
      `"fence":"${lease?.fence ?? ''}","msg":"relay leads"`,
    );
  return leads(2) ? 2 : 1;
}

async function withSlowSockets({ world }: FaultSystem, count: number, seconds: number): Promise<void> {
  const { hostname, port } = new URL(world.system.addresses.baseUrl);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write('POST /api/card HTTP/1.1\r\nHost: ');
    sockets.push(socket);
    if (opened % 200 === 0) await wait(20);
  }
  await wait(seconds * 1_000);
  for (const socket of sockets) socket.destroy();
}

/**
 * Replaces a replica as a deployment does: the old process finishes what it began. `root`: with another version of the
 * code; `env`: with another configuration.
 */
export async function replace(
  { world }: FaultSystem,
  program: OwnProgram,
  { replica = 1, env, root }: { readonly replica?: number; readonly env?: Record<string, string>; readonly root?: string },
): Promise<void> {
  await world.system.kill(program, 'SIGTERM', replica);
  await world.system.waitUntilEnded(program, 20_000, replica);
  await world.system.restart(program, replica, env, root);
}

/** Sets a limit of a running process. */
async function limit({ world }: FaultSystem, program: ProgramName, replica: number, files: string): Promise<void> {
  const running = world.system.state().processes.find((one) => one.program === program && one.replica === replica);
  const child = spawn('prlimit', ['--pid', String(running?.record.pid ?? 0), `--nofile=${files}`], { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`prlimit ended with ${String(code)}`);
}

const RESTARTED = ['payments', 'bindings', 'withdrawals', 'notifier'] as const;

export const PROCESS_ROWS: readonly Row[] = [
  {
    name: 'payments-frozen',
    fault: 'one replica of payments stopped as it stands (SIGSTOP) for 12 s',
    inject: (system) => frozen(system, 'payments', 1, 12),
  },
  {
    name: 'relay-frozen',
    fault: 'the replica of payments whose relay leads stopped for 20 s: longer than its lease',
    inject: async (system) => frozen(system, 'payments', await leaderOf(system), 20),
  },
  {
    name: 'notifier-frozen',
    fault: 'one replica of the notifier stopped for 12 s',
    quick: true,
    inject: (system) => frozen(system, 'notifier', 1, 12),
  },
  {
    name: 'rolling-restart',
    fault: 'each replica behind the gateway stopped (SIGTERM) and started, one after another',
    inject: async (system) => {
      for (const program of RESTARTED) for (const replica of [1, 2]) await replace(system, program, { replica });
    },
  },
  {
    name: 'killed',
    fault: 'the replica of payments whose relay leads, one of the notifier, and the checkout killed and started',
    inject: async (system) => {
      const { world } = system;
      await Promise.all([
        world.system.restart('payments', await leaderOf(system)),
        world.system.restart('notifier', 2),
        world.system.restart('checkout'),
      ]);
    },
  },
  {
    name: 'few-files',
    fault: 'one replica of payments may have 48 files open, for 6 s',
    problem: () => (programOnPath('prlimit') === undefined ? 'there is no prlimit' : undefined),
    inject: async (system) => {
      await limit(system, 'payments', 1, '48:');
      system.links['payments-1'].reset();
      system.links.database.reset();
      await wait(6_000);
      await limit(system, 'payments', 1, '4096:');
    },
  },
  {
    name: 'slow-sockets',
    fault: '5,000 sockets of one address that never finish their request, for 6 s',
    inject: (system) => withSlowSockets(system, 5_000, 6),
  },
  {
    name: 'latency',
    fault: '200 ms more on every way, for 10 s',
    inject: async ({ links }) => {
      const all = Object.keys(links) as LinkName[];
      for (const link of all) await links[link].set({ latencyMs: 200 });
      await wait(10_000);
      for (const link of all) await links[link].set({});
    },
  },
];
