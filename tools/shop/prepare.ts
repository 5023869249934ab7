import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LOCAL, ROOT } from '../infrastructure/folders.ts';

/** The example shop, as whoever copies it has it. */
export const SHOP_SOURCES = join(ROOT, 'examples/shop');
const PACKED = join(LOCAL, 'packed-sdk');
const run = promisify(execFile);

/**
 * Puts the example shop into `folder`, ready to run, without network: a copy of its files, the packed SDK as npm installs
 * it, and the express that is here already. `packages` are further packages to link, by name. What else is in the folder
 * stays.
 */
export async function prepareShop(folder: string, packages: readonly string[] = []): Promise<void> {
  const sdk = await installedSdk();
  await mkdir(folder, { recursive: true });
  for (const name of ['src', 'public', 'node_modules']) await rm(join(folder, name), { recursive: true, force: true });
  await cp(SHOP_SOURCES, folder, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|shop\.db|\.env$)/.test(path),
  });
  // A service's, because the root depends on none of them.
  const { resolve } = createRequire(join(ROOT, 'packages/sdk/package.json'));
  const links = ['express', ...packages].map((name) => [name, dirname(resolve(`${name}/package.json`))] as const);
  for (const [name, target] of [['@pay/sdk', sdk] as const, ...links]) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link, 'junction');
  }
}

/** The folder of the installed SDK: packed when one of its sources has changed since the last time, and only then. */
async function installedSdk(): Promise<string> {
  const folder = join(PACKED, fingerprint());
  if (!existsSync(folder)) await packInto(folder);
  return join(folder, 'node_modules/@pay/sdk');
}

async function packInto(folder: string): Promise<void> {
  await mkdir(PACKED, { recursive: true });
  const staged = await mkdtemp(join(PACKED, 'staged-'));
  try {
    await writeFile(join(staged, 'package.json'), '{ "private": true }');
    const pack = await run(process.execPath, [join(ROOT, 'tools/sdk/main.ts'), staged], { cwd: ROOT });
    const install = ['install', '--offline', '--no-audit', '--no-fund', pack.stdout.trim()];
    await run('npm', install, { cwd: staged, shell: process.platform === 'win32' });
    const old = readdirSync(PACKED).filter((name) => !name.startsWith('staged-'));
    // Somebody else may have packed the same meanwhile.
    await rename(staged, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    await Promise.all(old.map((name) => rm(join(PACKED, name), { recursive: true, force: true })));
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Covers what the packed SDK is made of and with. */
function fingerprint(): string {
  const files = globSync(['packages/{sdk,signing}/src/*.ts', 'packages/sdk/{package.json,README.md}', 'tools/sdk/{pack,manifest}.ts'], {
    cwd: ROOT,
  });
  const hash = createHash('sha256');
  for (const path of files.filter((name) => !name.includes('.test.')).sort()) {
    hash.update(path).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex').slice(0, 16);
}
