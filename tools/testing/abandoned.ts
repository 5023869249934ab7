import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';
import { processIdentity } from '../lock.mjs';
import { removeSystem } from '../system/up.ts';

/** Runs before the projects that start whole systems: removes the systems of killed runs. */
export default async function removeAbandoned(): Promise<void> {
  for (const name of existsSync(LOCAL) ? readdirSync(LOCAL) : []) {
    const pid = /^e2e-(\d+)(?:-faults|-replicas)?$/.exec(name)?.[1];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    await removeSystem(join(LOCAL, name));
    rmSync(join(LOCAL, name), { recursive: true, force: true });
  }
}
