import { execFile } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canInstallPackages, installPackages } from '../infrastructure/apt.ts';
import { LOCAL, ROOT } from '../infrastructure/folders.ts';
import { programOnPath } from '../infrastructure/programs.ts';

const run = promisify(execFile);

/** The promtool of this machine, if there is one. */
export const findPromtool = (): string | undefined => programOnPath('promtool');

/**
 * The path of promtool; installs Debian's package, without starting its service, if permitted.
 * @throws Error with a single line that says what to do
 */
export const obtainPromtool = (log: (line: string) => void): Promise<string> => obtain('promtool', log);

/** As `obtainPromtool`: the path of Prometheus itself. */
export const obtainPrometheus = (log: (line: string) => void): Promise<string> => obtain('prometheus', log);

async function obtain(program: 'promtool' | 'prometheus', log: (line: string) => void): Promise<string> {
  const found = programOnPath(program);
  if (found !== undefined) return found;
  if (canInstallPackages()) {
    log(`installing prometheus for ${program}`);
    mkdirSync(LOCAL, { recursive: true });
    await installPackages(['prometheus'], join(LOCAL, 'apt.log'));
    const installed = programOnPath(program);
    if (installed !== undefined) return installed;
  }
  throw new Error(`${program} is needed: install Prometheus`);
}

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
