import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../infrastructure/folders.ts';

/** The packed SDK, installed as a partner does. */
export type InstalledSdk = {
  readonly tarball: string;
  /** A folder that was empty before, with nothing of this repository. */
  readonly shop: string;
  remove(): Promise<void>;
};

/** Packs the SDK, and installs the file in an empty folder without network. */
export async function installSdk(): Promise<InstalledSdk> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-sdk-'));
  const run = promisify(execFile);
  const pack = [join(ROOT, 'tools/sdk/main.ts'), join(folder, 'dist')];
  const tarball = (await run(process.execPath, pack)).stdout.trim();
  const shop = join(folder, 'shop');
  await mkdir(shop);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: shop });
  return { tarball, shop, remove: () => rm(folder, { recursive: true }) };
}
