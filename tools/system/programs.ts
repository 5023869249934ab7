import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { startDetached, waitFor, type Started } from '../infrastructure/processes.ts';
import type { ServiceName } from '../infrastructure/provision.ts';
import { environmentOf, inheritedEnvironment, processUrls } from './environment.ts';
import type { ProgramName, RunningProcess, SystemState } from './state.ts';

/** The log of one process. */
export function logFileOf(folder: string, program: ProgramName, replica: number): string {
  return join(folder, 'logs', `${program}-${String(replica)}.log`);
}

/** Starts one process of the system and waits until it is ready. `onStarted` is called before the wait. */
export async function startProgram(
  state: SystemState,
  folder: string,
  program: ProgramName,
  replica: number,
  onStarted: (running: RunningProcess) => void,
): Promise<void> {
  const logFile = logFileOf(folder, program, replica);
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const main = program === 'demo-receiver' ? 'tools/system/demo-receiver.ts' : `services/${program}/src/main.ts`;
  const started: Started = startDetached(process.execPath, [main], {
    logFile,
    cwd: ROOT,
    env: { ...inheritedEnvironment(), ...environmentOf(state, folder, program, replica) },
  });
  onStarted({ program, replica, record: started.record });
  const { privateUrl } = processUrls(state, program, replica);
  await waitFor(`${program}-${String(replica)}`, () => isReady(`${privateUrl}/readyz`), {
    milliseconds: 60_000,
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

/**
 * Runs a service's one-off script (`migrate`, `seed`) with the service's own configuration. Does nothing where the
 * service has none.
 * @throws Error with what the script wrote, when it fails.
 */
export async function runScript(
  script: 'migrate' | 'seed',
  service: ServiceName,
  env: Record<string, string>,
  input = '',
): Promise<void> {
  const main = `services/${service}/src/${script}.ts`;
  if (!existsSync(join(ROOT, main))) return;
  const child = spawn(process.execPath, [main], {
    cwd: ROOT,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A script that does not read its input closes it: that is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0)
    throw new Error(`${service}: ${script} failed\n${output.trimEnd().split('\n').slice(-12).join('\n')}`);
}
