import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { OLDEST_NODE } from '../sdk/manifest.ts';

const CLI = join(ROOT, 'packages/cli');
const Source = z.object({ name: z.string(), version: z.string() });
const Packed = z.tuple([z.object({ filename: z.string() })]);
const POSTJECT = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
/** Where Node looks for a script in its own executable: https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
const SEA_RESOURCE = 'NODE_SEA_BLOB';
const SEA_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Bundles the partner's commands and packs them into `folder`, as the file that partners run. Returns its path. Nothing is left
 * to install (decisions/sdks).
 * @throws Error when a source does not compile or npm cannot pack
 */
export async function packCli(folder: string): Promise<string> {
  return inStage(async (staged) => {
    await bundle(join(staged, 'dist'), 'esm');
    const { name, version } = Source.parse(JSON.parse(await readFile(join(CLI, 'package.json'), 'utf8')));
    const manifest = {
      name,
      version,
      description: 'The payment integration service from the command line: sign, pay, listen to callbacks. No dependencies.',
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: `>=${OLDEST_NODE}` },
      bin: { pay: 'dist/pay.mjs' },
    };
    await writeFile(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await copyFile(join(CLI, 'README.md'), join(staged, 'README.md'));
    await copyFile(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'));
    await mkdir(folder, { recursive: true });
    const pack = ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await promisify(execFile)('npm', pack, { cwd: staged });
    const [{ filename }] = Packed.parse(JSON.parse(stdout));
    return join(folder, filename);
  });
}

/**
 * Puts the same commands into a copy of the Node that runs this: one file that needs no Node, for machines like this one. Returns its
 * path (decisions/sdks).
 * @throws Error when a source does not compile, or on a system other than Linux
 */
export async function buildExecutable(folder: string): Promise<string> {
  if (process.platform !== 'linux') {
    throw new Error('an executable is built on Linux only: other systems start none that nobody signed');
  }
  return inStage(async (staged) => {
    await bundle(staged, 'cjs');
    const [config, blob] = [join(staged, 'sea.json'), join(staged, 'blob')];
    await writeFile(config, JSON.stringify({ main: join(staged, 'pay.cjs'), output: blob, disableExperimentalSEAWarning: true }));
    await promisify(execFile)(process.execPath, ['--experimental-sea-config', config]);
    await mkdir(folder, { recursive: true });
    const executable = join(folder, 'pay');
    await copyFile(process.execPath, executable);
    const inject = [executable, SEA_RESOURCE, blob, '--sentinel-fuse', SEA_FUSE];
    await promisify(execFile)(process.execPath, [POSTJECT, ...inject]);
    return executable;
  });
}

async function inStage<T>(work: (staged: string) => Promise<T>): Promise<T> {
  const staged = await mkdtemp(join(tmpdir(), 'cli-package-'));
  try {
    return await work(staged);
  } finally {
    await rm(staged, { recursive: true });
  }
}

async function bundle(outDir: string, format: 'esm' | 'cjs'): Promise<void> {
  await build({
    config: false,
    cwd: CLI,
    tsconfig: join(ROOT, 'tsconfig.json'),
    outDir,
    clean: false,
    format: [format],
    fixedExtension: true,
    target: `node${OLDEST_NODE}`,
    platform: 'node',
    entry: { pay: 'src/partner-main.ts' },
    deps: { alwaysBundle: [/./] },
    banner: { js: '#!/usr/bin/env node' },
    dts: false,
    report: false,
    minify: { compress: true, mangle: false, codegen: true },
    logLevel: 'error',
  });
}
