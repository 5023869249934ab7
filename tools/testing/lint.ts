// npm run lint: runs ESLint on every file whose findings may have changed since it was last clean (ADR 0167).
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ESLint } from 'eslint';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { fingerprints } from './fingerprints.ts';

/** Fingerprints of the files that had no findings. */
const CLEAN_FILE = join(ROOT, 'node_modules/.cache/lint.json');
const Clean = z.record(z.string(), z.string());

const MADE = /^(?:node_modules|\.local|artifacts|dist|\.git)$/;
const paths = globSync(['**/*.{ts,tsx,mts,js,mjs,cjs}', '.*.{js,mjs,cjs}'], {
  cwd: ROOT,
  exclude: (path) => MADE.test(basename(path)),
}).toSorted();
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = new Map(paths.map((path) => [path.replaceAll('\\', '/'), read(path)]));

/** What affects the findings in every file: rules, versions, compiler options, types of globals. */
const common = createHash('sha256');
const decisive = globSync(
  ['pnpm-lock.yaml', 'tsconfig.json', '{packages,services}/**/tsconfig.json', '**/*.d.{ts,mts}'],
  {
    cwd: ROOT,
    exclude: (path) => MADE.test(basename(path)),
  },
);
for (const path of ['eslint.config.js', ...decisive.toSorted()]) common.update(`${path}\n${read(path)}`);
const key = common.digest('hex');

const now = new Map([...fingerprints(sources)].map(([path, hash]) => [path, `${key.slice(0, 16)}-${hash}`]));
const before = existsSync(CLEAN_FILE) ? Clean.parse(JSON.parse(readFileSync(CLEAN_FILE, 'utf8'))) : {};

const eslint = new ESLint({ cwd: ROOT });
const stale: string[] = [];
for (const [path, fingerprint] of now)
  if (before[path] !== fingerprint && !(await eslint.isPathIgnored(path))) stale.push(path);

// Given no files, ESLint would check all of them.
const results = stale.length === 0 ? [] : await eslint.lintFiles(stale);
const withFindings = new Set(
  results.filter(({ messages }) => messages.length > 0).map(({ filePath }) => resolve(filePath)),
);
const clean = [...now].filter(([path]) => !withFindings.has(join(ROOT, path)));
mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
writeFileSync(`${CLEAN_FILE}.new`, JSON.stringify(Object.fromEntries(clean)));
renameSync(`${CLEAN_FILE}.new`, CLEAN_FILE);

const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
process.stdout.write(`  ${String(stale.length)} of ${String(now.size)} files to check\n`);
process.exitCode = withFindings.size === 0 ? 0 : 1;
