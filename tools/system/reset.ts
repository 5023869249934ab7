// npm run reset: npm stop, and removes all data, keys and logs of this checkout.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL, TEST_FOLDER } from '../infrastructure/folders.ts';
import { removeInfrastructure } from '../infrastructure/infrastructure.ts';
import { stopAll } from './stop.ts';
import { removeSystem } from './up.ts';

await stopAll();
await removeSystem(LOCAL);
await removeInfrastructure(TEST_FOLDER);
for (const folder of existsSync(LOCAL) ? readdirSync(LOCAL) : []) {
  if (folder.startsWith('e2e-')) await removeSystem(join(LOCAL, folder));
}
rmSync(LOCAL, { recursive: true, force: true });
process.stdout.write('Reset: everything is stopped and its data removed. npm start begins from scratch.\n');
