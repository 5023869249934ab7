import { join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';
import { addresses } from '../system/environment.ts';
import { onboardDemoPartner, writeDemoFile } from '../system/demo.ts';
import { startSystemAndServers } from '../system/up.ts';
import removeAbandoned from './abandoned.ts';
import { obtainChromium } from './chromium.ts';

const say = (line: string) => {
  process.stdout.write(`  ${line}\n`);
};

/**
 * Runs before the project "e2e": provides a browser and a whole system with fresh data. Tests find it with
 * `runningSystem()`. Several runs can be in progress at the same time, each in its own folder.
 */
export default async function setUp(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await obtainChromium(say);
  await removeAbandoned();
  const folder = join(LOCAL, `e2e-${String(process.pid)}`);
  process.env['E2E_FOLDER'] = folder;
  const state = await startSystemAndServers({ folder, log: say, purpose: 'test' });
  await onboardDemoPartner(state, folder, addresses(state));
  writeDemoFile(state, folder);
}
