import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';

/** The projects of jest.config.js, in the order in which they run. */
export const PROJECTS = ['unit', 'integration', 'browser', 'e2e', 'faults', 'docker'] as const;
export type Project = (typeof PROJECTS)[number];

/** The project that a test file belongs to, according to its name. */
export function projectOf(path: string): Project {
  const [, needs = ''] = /\.(db|browser|e2e|faults|docker)\.test\.ts$/.exec(path) ?? [];
  if (needs === 'db') return 'integration';
  return PROJECTS.find((project) => project === needs) ?? 'unit';
}

/** Every test file, relative to the repository. */
export const testFiles = (): string[] =>
  globSync('{packages,services,tools,e2e,bench}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] }).toSorted();

/** The journeys that `npm test` makes through the running system: a payment, a saved card and its charge, SBP, a payout. */
export const JOURNEYS: readonly string[] = [
  'e2e/console-withdrawals.e2e.test.ts',
  'e2e/checkout-payment.e2e.test.ts',
  'e2e/qr-payment.e2e.test.ts',
  'e2e/saved-card.e2e.test.ts',
];

/** The files whose path contains one of the words, and the words that no path contains. */
export function matching(files: readonly string[], words: readonly string[]): { files: string[]; unknown: string[] } {
  const has = (file: string, word: string) => file.toLowerCase().includes(word.toLowerCase());
  return {
    files: files.filter((file) => words.some((word) => has(file, word))),
    unknown: words.filter((word) => !files.some((file) => has(file, word))),
  };
}

const CODE = /\.(?:ts|tsx|mts|js|mjs|cjs)$/;

/**
 * The test files that a change touches: those that import a changed file, directly or not; for a file that nothing can
 * import (a migration, a document) the tests of its package, or the repository's own in `tools/`.
 */
export function touchedBy(changed: readonly string[], files: readonly string[], importers: readonly string[]): string[] {
  const folders = changed.filter((path) => !CODE.test(path)).map((path) => /^(?:packages|services)\/[^/]+\//.exec(path)?.[0] ?? 'tools/');
  const beside = files.filter((file) => folders.some((folder) => file.startsWith(folder)));
  return [...new Set([...files.filter((file) => importers.includes(file)), ...beside])].toSorted();
}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/**
 * The files changed since this branch left `main`, committed or not.
 * @throws Error if there is no git or no main
 */
function changedFiles(): string[] {
  const main = git('rev-parse', '--verify', '--quiet', 'main').trim();
  const base = git('merge-base', main, 'HEAD').trim();
  const names = `${git('diff', '--name-only', base)}${git('ls-files', '--others', '--exclude-standard')}`;
  return names.split('\n').filter((name) => name !== '');
}

/** The test files that the current change touches. */
export function changedTests(): string[] {
  const changed = changedFiles();
  const code = changed.filter((path) => CODE.test(path) && existsSync(join(ROOT, path)));
  const listed =
    code.length === 0
      ? ''
      : execFileSync(process.execPath, ['node_modules/jest/bin/jest.js', '--listTests', '--findRelatedTests', ...code], {
          cwd: ROOT,
          encoding: 'utf8',
        });
  const importers = listed.split('\n').map((path) => relative(ROOT, path));
  return touchedBy(changed, testFiles(), importers);
}
