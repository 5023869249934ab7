import { spawn, type ChildProcess } from 'node:child_process';
import { Console } from 'node:console';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../src/run.ts';
import { createProgram } from '../src/whole-program.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type CliResult = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

/** The command line as a separate process, as a user starts it. */
export function spawnCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  // The compile cache that `npm` commands keep: it halves the start-up time.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return spawn(process.execPath, [MAIN, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: 'pipe' });
}

/**
 * Runs a command in this process, where a start would cost more than what it does: one at a time, and none that reads
 * standard input or ends with a signal.
 */
export async function runHere(args: readonly string[]): Promise<CliResult> {
  const { stdout, stderr } = process;
  const own = { console, out: stdout.write.bind(stdout), err: stderr.write.bind(stderr) };
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text) => {
      printed[name] += String(text);
      return true;
    };
  globalThis.console = new Console(stdout, stderr);
  try {
    return { exitCode: await run(createProgram(), args), ...printed };
  } finally {
    globalThis.console = own.console;
    stdout.write = own.out;
    stderr.write = own.err;
  }
}

/** Runs it as a process of its own until it exits. */
export async function runCli(
  args: readonly string[],
  { stdin = '', env = {} }: { stdin?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  const child = spawnCli(args, env);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin?.end(stdin);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, stdout, stderr };
}

/** A folder with a profile, as written by `npm start`. */
export function writeProfile(profile: Readonly<Record<string, unknown>>, privateKeyPem: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pay-cli-'));
  const file = join(folder, 'demo.json');
  writeFileSync(join(folder, 'partner.pem'), privateKeyPem, { mode: 0o600 });
  writeFileSync(file, JSON.stringify({ ...profile, privateKeyFile: 'partner.pem' }));
  return {
    folder,
    file,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
