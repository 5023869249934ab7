import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { heapOptions } from '../infrastructure/heap.ts';
import { startDetached, waitFor, type Started } from '../infrastructure/processes.ts';
import { addresses, edgeArguments, environmentOf, inheritedEnvironment, processUrls } from './environment.ts';
import { loopbackLayout } from './layout.ts';
import type { ProgramName, RunningProcess, SystemState } from './state.ts';

/** The programs that are not a service's `main.ts`. */
const MAINS: Partial<Record<ProgramName, string>> = {
  checkout: 'services/payments/src/checkout-main.ts',
  portal: 'services/console/src/portal-main.ts',
  'demo-receiver': 'tools/system/demo-receiver.ts',
  edge: 'tools/compose/edge.ts',
};

/** The file that a program of ours is started from, in its checkout. */
export const mainOf = (program: Exclude<ProgramName, 'shop'>): string => MAINS[program] ?? `services/${program}/src/main.ts`;

/** The log file of one process. */
export function logFileOf(folder: string, program: ProgramName, replica: number): string {
  return join(folder, 'logs', `${program}-${String(replica)}.log`);
}

/**
 * Starts one process of the system and waits until it is ready. `onStarted` is called before the wait. `root` is the
 * checkout with its code.
 */
export async function startProgram(
  state: SystemState,
  folder: string,
  program: ProgramName,
  replica: number,
  onStarted: (running: RunningProcess) => void,
  root = ROOT,
): Promise<void> {
  const logFile = logFileOf(folder, program, replica);
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const main = program === 'shop' ? join(state.shop?.folder ?? '', 'src/main.ts') : mainOf(program);
  const args = program === 'edge' ? edgeArguments(state) : [];
  const started: Started = startDetached(process.execPath, [...heapOptions(program), main, ...args], {
    logFile,
    cwd: root,
    env: { ...inheritedEnvironment(), ...environmentOf(state, loopbackLayout(state), program, replica) },
  });
  onStarted({ program, replica, record: started.record });
  const ready = () =>
    program === 'edge' ? accepts(addresses(state).baseUrl) : isReady(`${processUrls(state, program, replica).privateUrl}/readyz`);
  await waitFor(`${program}-${String(replica)}`, ready, {
    alive: () => started.child.exitCode === null && started.child.signalCode === null,
    logFile,
  });
}

/** Whether somebody listens there. */
async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
