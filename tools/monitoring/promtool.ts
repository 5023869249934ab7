import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../infrastructure/folders.ts';

const run = promisify(execFile);

/** Checks the configuration with its rules. Returns what promtool printed. @throws Error with it if anything is wrong */
export async function checkRules(promtool: string): Promise<string> {
  const { stdout } = await run(promtool, ['check', 'config', 'prometheus.yml'], { cwd: FOLDER });
  return stdout;
}

/** Runs the tests of the rules. Returns what promtool printed. @throws Error with it if one fails */
export async function testRules(promtool: string): Promise<string> {
  const { stdout } = await run(promtool, ['test', 'rules', ...globSync('tests/*.yml', { cwd: FOLDER })], {
    cwd: FOLDER,
  });
  return stdout;
}

const FOLDER = join(ROOT, 'deploy/prometheus');
