// Removes what a run has started and stored. `main.ts` starts it in a session of its own and holds its standard input open: that
// ends when the run is over, and also when it was killed.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readJson } from '../../tools/infrastructure/files.ts';
import { waitUntilGone } from '../../tools/infrastructure/processes.ts';
import { isRunning } from '../../tools/lock.mjs';
import { removeSystem } from '../../tools/system/up.ts';
import { starterIn, systemIn } from './previous.ts';

/** Longer than `npm start` takes to stop what it has started. */
const STOPPED_WITHIN_MS = 60_000;

const [folder = ''] = process.argv.slice(2);
await once(process.stdin.resume(), 'end');
const starter = z.object({ pid: z.int().positive(), identity: z.string() }).safeParse(readJson(starterIn(folder))).data;
if (starter !== undefined && isRunning(starter)) {
  // The whole group: the command, and what it runs.
  process.kill(-starter.pid, 'SIGTERM');
  await waitUntilGone(starter, STOPPED_WITHIN_MS);
}
await removeSystem(systemIn(folder));
rmSync(folder, { recursive: true, force: true });
