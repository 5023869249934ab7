// npm stop: ends everything that was started from this checkout, including test servers. The data stays.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL, TEST_FOLDER } from '../infrastructure/folders.ts';
import { stopInfrastructure } from '../infrastructure/infrastructure.ts';
import { readState } from './state.ts';
import { stopSystem } from './up.ts';

/** Stops everything that is running from this checkout. Returns whether there was a system, or servers, to stop. */
export async function stopAll(): Promise<boolean> {
  let wasRunning = (readState(LOCAL)?.processes.length ?? 0) > 0;
  rmSync(join(LOCAL, 'demo.json'), { force: true });
  await stopSystem(LOCAL);
  for (const servers of [join(LOCAL, 'infrastructure'), TEST_FOLDER]) if (await stopInfrastructure(servers)) wasRunning = true;
  for (const folder of existsSync(LOCAL) ? readdirSync(LOCAL) : []) {
    if (!folder.startsWith('e2e-')) continue;
    await stopSystem(join(LOCAL, folder));
    await stopInfrastructure(join(LOCAL, folder, 'infrastructure'));
  }
  return wasRunning;
}

if (import.meta.main) {
  const wasRunning = await stopAll();
  process.stdout.write(
    wasRunning ? 'Stopped. The data is kept: npm start continues with it, npm run reset removes it.\n' : 'Nothing was running.\n',
  );
}
