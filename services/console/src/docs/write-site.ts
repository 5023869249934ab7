import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildSite } from './site.ts';

/**
 * Writes the site into a folder; removes nothing that is there. With `isCompressed`, each file is also there with `.gz`.
 * Returns how many files it has and their bytes.
 */
export async function writeSite(
  folder: string,
  { isCompressed = false } = {},
): Promise<{ readonly files: number; readonly bytes: number }> {
  const site = await buildSite();
  let bytes = 0;
  for (const [path, contents] of site) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
    if (isCompressed) writeFileSync(`${file}.gz`, await promisify(gzip)(contents));
    bytes += contents.length;
  }
  return { files: site.size, bytes };
}
