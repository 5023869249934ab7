import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL } from '../tools/infrastructure/folders.ts';
import { onboardDemoPartner, writeDemoFile } from '../tools/system/demo.ts';
import { addresses } from '../tools/system/environment.ts';
import { removeSystem, startSystemAndServers } from '../tools/system/up.ts';
import { runningSystem } from '../tools/testing/running-system.ts';

/**
 * A separate system with two replicas of every service that a charge passes through: its processes can be killed and
 * its clock moved without affecting other tests.
 */
export async function startReplicatedSystem() {
  const folder = join(LOCAL, `e2e-${String(process.pid)}-replicas`);
  const log = () => undefined;
  const replicas = { gateway: 2, payments: 2, bindings: 2 };
  const state = await startSystemAndServers({ folder, replicas, log, purpose: 'test' });
  await onboardDemoPartner(state, folder, addresses(state));
  writeDemoFile(state, folder);
  return {
    system: runningSystem(folder),
    async remove() {
      await removeSystem(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
