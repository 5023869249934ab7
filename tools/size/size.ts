import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';

/** What there is of the repository, by figure. */
export type Size = Readonly<Record<keyof typeof CEILINGS, number>>;

/**
 * The most of each that there may be. Who raises one says in the commit what for; a figure that fell well below its ceiling
 * takes it along.
 */
export const CEILINGS = {
  'tracked lines': 266_000,
  'lines of schema snapshots': 12_000,
  'tracked files': 2_560,
  'words of Markdown': 95_500,
  'pages of decisions': 52,
  'prettier-ignore': 3,
  'code lines over 140 characters': 345,
} as const;

const CODE = /\.(?:ts|tsx|mts|js|mjs|cjs)$/;

/** Measures what git tracks here. @throws Error if this is no checkout of git */
export function measure(): Size {
  const paths = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\n');
  const files = paths.flatMap((path) => {
    const text = path === '' ? undefined : textOf(path);
    return text === undefined ? [] : [{ path, text, lines: text.split('\n') }];
  });
  const code = files.filter(({ path }) => CODE.test(path) && !path.includes('/migrations/'));
  const sum = (of: typeof files, count: (file: (typeof files)[number]) => number) => of.reduce((total, file) => total + count(file), 0);
  const named = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path));
  return {
    'tracked lines': sum(files, ({ lines }) => lines.length - 1),
    'lines of schema snapshots': sum(named(/\/migrations\/meta\//), ({ lines }) => lines.length - 1),
    'tracked files': files.length,
    'words of Markdown': sum(named(/\.md$/), ({ text }) => text.split(/\s+/).filter((word) => word !== '').length),
    'pages of decisions': named(/^docs\/decisions\/(?!README)/).length,
    'prettier-ignore': sum(code, ({ text }) => text.split('prettier-ignore').length - 1),
    'code lines over 140 characters': sum(code, ({ lines }) => lines.filter((line) => line.length > 140).length),
  };
}

/** Undefined for a file that was deleted and not committed. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}
