import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { startDetached, waitFor, type Started } from '../infrastructure/processes.ts';
import { environmentOf, inheritedEnvironment, processUrls } from './environment.ts';
import { loopbackLayout } from './layout.ts';
import type { ProgramName, RunningProcess, SystemState } from './state.ts';

/** The programs that are not a service's `main.ts`. */
const MAINS: Partial<Record<ProgramName, string>> = {
  checkout: 'services/payments/src/checkout-main.ts',
  'demo-receiver': 'tools/system/demo-receiver.ts',
};

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
  const started: Started = startDetached(process.execPath, [MAINS[program] ?? `services/${program}/src/main.ts`], {
    logFile,
    cwd: root,
    env: { ...inheritedEnvironment(), ...environmentOf(state, loopbackLayout(state), program, replica) },
  });
  onStarted({ program, replica, record: started.record });
  const { privateUrl } = processUrls(state, program, replica);
  await waitFor(`${program}-${String(replica)}`, () => isReady(`${privateUrl}/readyz`), {
    alive: () => started.child.exitCode === null && started.child.signalCode === null,
    logFile,
  });
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
