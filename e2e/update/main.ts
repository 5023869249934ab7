// `npm run test:update [-- --from <commit>]`: updates a whole system of the previous version to this one under load, and
// rolls it back. Prints a table; ends with status 1 if a call failed, or anything was lost or duplicated.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LOCAL, ROOT } from '../../tools/infrastructure/folders.ts';
import { endIfMissing, obtainProgram } from '../../tools/infrastructure/obtain-program.ts';
import type { OwnProgram } from '../../tools/system/state.ts';
import { chooseNewPorts, prepareUpdate } from '../../tools/system/up.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { givenBinding } from '../saved-card.ts';
import { openWorld, type World } from '../world.ts';
import { audit, auditBefore } from './audit.ts';
import { startLoad } from './load.ts';
import type { Moment, Version } from './mixes.ts';
import { checkoutIn, previousVersion, startPrevious, systemIn } from './previous.ts';
import { report, type Step } from './report.ts';

/** The whole run, which takes three to four minutes on two cores. */
const RUN_MS = 15 * 60_000;
/** Before, between and after the replacements. */
const ALONE_MS = 8_000;
/** Longer than a program may take to end. */
const ENDED_WITHIN_MS = 20_000;
/** Saved cards to charge, enough for a run on a machine that is busy with other things; and how many are saved at once. */
const BINDINGS = 240;
const BINDINGS_AT_ONCE = 6;
const SAVE_TRIES_MAX = 60;

/** In this order, forward and back: each caller meets the other version of whom it calls for some steps, both ways round. */
const PROGRAMS: readonly OwnProgram[] = ['payments', 'checkout', 'notifier', 'withdrawals', 'bindings', 'console', 'portal', 'gateway'];
const REPLICAS = [1, 2] as const;

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** Cards that buyers saved, and that may be charged now. Nothing is measured yet: what a busy machine fails is tried again. */
async function saveCards(world: World): Promise<string[]> {
  const ids: string[] = [];
  for (let tries = 0; ids.length < BINDINGS; tries += 1) {
    const some = await Promise.allSettled(Array.from({ length: BINDINGS_AT_ONCE }, () => givenBinding(world, 'PT1H')));
    ids.push(...some.flatMap((one) => (one.status === 'fulfilled' ? [one.value.bindingId] : [])));
    const failed = some.find((one) => one.status === 'rejected');
    if (failed !== undefined && tries > SAVE_TRIES_MAX) throw failed.reason;
  }
  await world.bank.advanceClock('PT61M');
  return ids;
}

/** Replaces one replica as a platform does, on the same address: the old process finishes first. */
async function replace({ system }: World, program: OwnProgram, replica: number, root: string): Promise<void> {
  const begin = performance.now();
  await system.kill(program, 'SIGTERM', replica);
  const hasEnded = await system.waitUntilEnded(program, ENDED_WITHIN_MS, replica);
  if (!hasEnded) throw new Error(`${program}-${String(replica)} did not end`);
  const ended = performance.now();
  await system.restart(program, replica, {}, root);
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
  say(
    `  ${program}-${String(replica)}: ended after ${seconds(begin, ended)} s, the next ready after ${seconds(ended, performance.now())} s`,
  );
}

async function update(folder: string, commit: string): Promise<boolean> {
  const { programs, hasStream } = await startPrevious(commit, folder, PROGRAMS);
  say('  it runs');
  for (const program of PROGRAMS.filter((one) => !programs.includes(one))) say(`  it has no ${program}: not updated`);
  if (!hasStream) say('  it has no stream of events: nobody follows one');
  await chooseNewPorts(systemIn(folder));
  const world = await openWorld(runningSystem(systemIn(folder)));
  const bindings = await saveCards(world);
  const before = await auditBefore(world);
  const callbacks: number[] = [];
  world.receiver.onArrival = () => {
    callbacks.push(performance.now());
    return 200;
  };
  const [steps, moments]: [Step[], Moment[]] = [[], []];
  const versions = new Map<OwnProgram, Version>(programs.map((program) => [program, 'old']));
  const note = () => moments.push({ at: performance.now(), versions: Object.fromEntries(versions) });
  const step = async (name: string, work: () => Promise<unknown>) => {
    say(name);
    const from = performance.now();
    await work();
    steps.push({ name, from, to: performance.now() });
  };
  const roll = async (version: 'old' | 'new', root: string) => {
    for (const program of programs) {
      await step(`${program} → ${version}`, async () => {
        versions.set(program, 'both');
        note();
        for (const replica of REPLICAS) await replace(world, program, replica, root);
        versions.set(program, version);
        note();
      });
    }
  };
  note();
  const load = startLoad(world, { bindings, hasPortal: programs.includes('portal'), hasStream });
  await step('old version alone', () => wait(ALONE_MS));
  await step('migrations', () => prepareUpdate(systemIn(folder)));
  await roll('new', ROOT);
  await step('new version alone', () => wait(ALONE_MS));
  await roll('old', checkoutIn(folder));
  await step('old version on the new schema', () => wait(ALONE_MS));
  await step('what had begun', () => load.stop());
  const found = await audit(world, load, before);
  await load.end();
  return report({ steps, moments, callbacks, load, found }, say);
}

for (const name of ['git', 'tar'] as const) await obtainProgram(name, say).catch(endIfMissing);
const { values } = parseArgs({ options: { from: { type: 'string' } } });
const commit = previousVersion(values.from);
const folder = join(LOCAL, `update-${String(process.pid)}`);
mkdirSync(folder, { recursive: true });
const remover = spawn(process.execPath, [join(import.meta.dirname, 'remove.ts'), folder], {
  stdio: ['pipe', 'ignore', 'inherit'],
  detached: true,
});
/** An object, because it changes while others wait. */
const ending = { begun: false };
/** Ends the process when everything is removed. */
async function end(status: number): Promise<never> {
  ending.begun = true;
  const removed = once(remover, 'exit');
  remover.stdin.end();
  await removed;
  process.exit(status);
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => void end(130));
setTimeout(() => {
  process.stderr.write(`npm run test:update took longer than ${String(RUN_MS / 60_000)} minutes\n`);
  void end(1);
}, RUN_MS).unref();

const load = () =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');
say(`${new Date().toISOString()}: from ${commit.slice(0, 8)} to this checkout and back, load average ${load()}`);
try {
  const isWell = await update(folder, commit);
  say(`load average ${load()}`);
  await end(isWell ? 0 : 1);
} catch (error) {
  // What fails while everything is removed was removed.
  if (ending.begun) await new Promise(() => undefined);
  process.stderr.write(`${Error.isError(error) ? (error.stack ?? error.message) : String(error)}\n`);
  await end(1);
}
