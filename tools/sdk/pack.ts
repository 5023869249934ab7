import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build, type InlineConfig } from 'tsdown';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { ENTRIES, manifestOf, OLDEST_NODE } from './manifest.ts';

const SDK = join(ROOT, 'packages/sdk');
const Source = z.object({ name: z.string(), version: z.string() });
const Packed = z.tuple([z.object({ filename: z.string() })]);

/**
 * Builds `packages/sdk` and packs it into `folder`, as the file that partners install. Returns its path.
 * @throws Error when a source does not compile, npm cannot pack, or publint finds a fault.
 */
export async function packSdk(folder: string): Promise<string> {
  const staged = await mkdtemp(join(tmpdir(), 'sdk-package-'));
  try {
    await buildInto(staged);
    const source = Source.parse(JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8')));
    const manifest = manifestOf(source, repositoryUrl());
    await writeFile(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await copyFile(join(SDK, 'README.md'), join(staged, 'README.md'));
    await copyFile(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'));
    const { messages } = await publint({ pkgDir: staged, pack: 'npm', strict: true });
    if (messages.length > 0) throw new Error(messages.map((one) => formatMessage(one, { ...manifest })).join('\n'));
    await mkdir(folder, { recursive: true });
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder], {
      cwd: staged,
    });
    const [{ filename }] = Packed.parse(JSON.parse(stdout));
    return join(folder, filename);
  } finally {
    await rm(staged, { recursive: true });
  }
}

/** The forge that builds it says where the sources are. */
function repositoryUrl(): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  return GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
}

async function buildInto(outDir: string): Promise<void> {
  const { './web': web, ...others } = ENTRIES;
  const common: InlineConfig = {
    config: false,
    cwd: SDK,
    tsconfig: join(ROOT, 'tsconfig.json'),
    outDir,
    clean: false,
    format: ['esm', 'cjs'],
    fixedExtension: true,
    target: `node${OLDEST_NODE}`,
    deps: { alwaysBundle: [/^@pay\//] },
    dts: { oxc: true },
    report: false,
    minify: { compress: true, mangle: false, codegen: true },
    logLevel: 'error',
  };
  await build({ ...common, platform: 'node', entry: sourcesOf(Object.values(others)) });
  // Apart from the others, so that it shares no file with what needs Node; an import of Node that nothing uses is no effect.
  await build({
    ...common,
    platform: 'neutral',
    entry: sourcesOf([web]),
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  });
}

function sourcesOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
}
