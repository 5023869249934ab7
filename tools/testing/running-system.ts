import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openInfrastructure, type Infrastructure } from '../infrastructure/infrastructure.ts';
import { addresses } from '../system/environment.ts';
import { openSystem } from '../system/up.ts';

/** The system that an e2e test talks to and breaks: the run's, unless the test started its own. */
export function runningSystem(folder = process.env['E2E_FOLDER']) {
  if (folder === undefined) {
    throw new Error('there is no system: name the test x.e2e.test.ts and run it with --selectProjects e2e');
  }
  const system = openSystem(folder);
  const infrastructure = (): Infrastructure => openInfrastructure(join(folder, 'infrastructure'));
  return {
    ...system,
    folder,
    logs: join(folder, 'logs'),
    addresses: addresses(system.state()),
    /** The content of `demo.json`. */
    demo: JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Readonly<Record<string, unknown>>,
    restartDatabase: () => infrastructure().restart('database'),
    restartBroker: () => infrastructure().restart('broker'),
  };
}
