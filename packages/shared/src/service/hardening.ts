import { readFileSync } from 'node:fs';

const NEEDED = ['--disable-sigusr1', '--disallow-code-generation-from-strings'] as const;

/** Each of these exposes the process's memory or writes it to disk. */
const FORBIDDEN = /^--(inspect|heapsnapshot|heap-prof|cpu-prof|report-(on|uncaught)|abort-on-uncaught|diagnostic-dir|experimental-report)/;

/**
 * How the memory of a process, which contains card numbers and keys, could reach a disk or a debugger: one sentence
 * each. Empty if it was started by `tools/hardened.sh` (decisions/hardening).
 */
export function exposures(env: NodeJS.ProcessEnv, execArgv: readonly string[], limits = ownLimits()): string[] {
  const options = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  return [
    ...NEEDED.filter((option) => !options.includes(option)).map((option) => `Node runs without ${option}`),
    ...options.filter((option) => FORBIDDEN.test(option)).map((option) => `Node runs with ${option.split('=')[0] ?? ''}`),
    ...(limits !== undefined && !/^Max core file size\s+0\s/m.test(limits) ? ['core dumps are not off (ulimit -c 0)'] : []),
  ];
}

/** Undefined if the system is not Linux. */
function ownLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined;
  }
}
