import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';
import { readJson } from '../infrastructure/files.ts';
import { stopPostgres } from '../infrastructure/postgres.ts';
import { processIdentity, type ProcessRecord } from '../lock.mjs';
import { removeSystem } from '../system/up.ts';

/** Runs before the projects that start whole systems: removes the systems of killed runs. */
export default async function removeAbandoned(): Promise<void> {
  for (const name of existsSync(LOCAL) ? readdirSync(LOCAL) : []) {
    const pid = /^e2e-(\d+)(?:-faults|-restore|-monitoring)?$/.exec(name)?.[1];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    await removeSystem(join(LOCAL, name));
    const bank = readJson(join(LOCAL, name, 'bank', 'postgres.json'));
    if (bank !== undefined) await stopPostgres(bank as ProcessRecord);
    rmSync(join(LOCAL, name), { recursive: true, force: true });
  }
}
