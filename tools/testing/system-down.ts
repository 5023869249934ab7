import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeSystem, stopSystem } from '../system/up.ts';
import leave from './leave.ts';
import { E2E_LOGS } from './test-folders.ts';

/** Runs after the project "e2e": stops and removes the system, and keeps its logs as artefacts. */
export default async function tearDown(): Promise<void> {
  const folder = process.env['E2E_FOLDER'];
  if (folder === undefined) return;
  await stopSystem(folder);
  rmSync(E2E_LOGS, { recursive: true, force: true });
  if (existsSync(join(folder, 'logs'))) cpSync(join(folder, 'logs'), E2E_LOGS, { recursive: true });
  await removeSystem(folder);
  rmSync(folder, { recursive: true, force: true });
  leave();
}
