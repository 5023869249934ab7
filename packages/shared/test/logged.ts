import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/**
 * Runs a script in its own process, as a service runs, and returns the lines it wrote to stdout. The script imports from
 * `SRC`.
 */
export function linesOf(script: string): Record<string, unknown>[] {
  const folder = mkdtempSync(join(tmpdir(), 'script-'));
  try {
    const file = join(folder, 'script.ts');
    writeFileSync(file, script.replaceAll('SRC', SRC));
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`the script ended with ${String(status)}: ${stderr}${readFileSync(file, 'utf8')}`);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
