import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { OLDEST_NODE } from '../sdk/manifest.ts';

const CLI = join(ROOT, 'packages/cli');
const Source = z.object({ name: z.string(), version: z.string() });
const Packed = z.tuple([z.object({ filename: z.string() })]);

/**
 * Bundles the partner's commands and packs them into `folder`, as the file that partners run. Returns its path. Nothing is left
 * to install (ADR 0206).
 * @throws Error when a source does not compile or npm cannot pack
 */
export async function packCli(folder: string): Promise<string> {
  const staged = await mkdtemp(join(tmpdir(), 'cli-package-'));
  try {
    await build({
      config: false,
      cwd: CLI,
      tsconfig: join(ROOT, 'tsconfig.json'),
      // Beside package.json as in the sources: the program reads its version there.
      outDir: join(staged, 'dist'),
      clean: false,
      format: ['esm'],
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
    const { name, version } = Source.parse(JSON.parse(await readFile(join(CLI, 'package.json'), 'utf8')));
    const manifest = {
      name,
      version,
      description:
        'The payment integration service from the command line: sign, pay, listen to callbacks. No dependencies.',
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
  } finally {
    await rm(staged, { recursive: true });
  }
}
