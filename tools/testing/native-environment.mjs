import { setTimeout as wait } from 'node:timers/promises';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What packages keep there for as long as the process lives: zod its registry, tslib its helpers. */
const OF_PACKAGES = /^__/;
/** What a file closed may need this long until it is gone. */
const CLOSING_MS = 2_000;
const LOOK_EVERY_MS = 10;

// Node opens them at their first use, which is no file's doing.
void [process.stdin, process.stdout, process.stderr];

/**
 * The environment of the projects that Node loads: the process itself instead of a `vm` context for each file
 * (decisions/tests). What a file changes in the process's environment variables, working directory, console or clock is
 * put back when it ends. A file that leaves a global or a listener for a signal behind fails; with the option
 * `closesAll` also one that leaves something open: a server, a socket, a timer, a process. That would hide the failure
 * of a test, so it is only said where none failed.
 */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  hasFailed = false;
  #before = {
    names: new Set(Object.getOwnPropertyNames(globalThis)),
    listeners: signalListeners(),
    open: process.getActiveResourcesInfo(),
    variables: { ...process.env },
    folder: process.cwd(),
    console: globalThis.console,
    // jest puts its own in their place for the file.
    exit: process.exit,
    getBuiltinModule: process.getBuiltinModule,
  };

  constructor({ projectConfig }) {
    this.closesAll = projectConfig.testEnvironmentOptions.closesAll === true;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** What a failed test left open is no news: its own failure is. */
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
  }

  setup() {
    process.getBuiltinModule = this.#before.getBuiltinModule;
  }

  async teardown() {
    const { names, listeners, open, variables, folder, console, exit } = this.#before;
    this.fakeTimersModern.dispose();
    process.exit = exit;
    globalThis.console = console;
    if (process.cwd() !== folder) process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !names.has(name) && !OF_PACKAGES.test(name));
    const heard = signalListeners().filter(([, listener]) => !listeners.some(([, known]) => known === listener));
    for (const [signal, listener] of heard) process.off(signal, listener);
    const left = [
      ['globals', globals],
      ['listeners', heard.map(([signal]) => signal)],
      ['something open', this.closesAll && !this.hasFailed ? await stillOpen(open) : []],
    ].filter(([, what]) => what.length > 0);
    if (left.length > 0) throw new Error(left.map(([kind, what]) => `The file leaves ${kind} behind: ${what.join(', ')}`).join('\n'));
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** jest asks every environment for it; nothing is run in it. */
  getVmContext() {
    return null;
  }
}

const signalListeners = () =>
  process
    .eventNames()
    .filter((name) => String(name).startsWith('SIG'))
    .flatMap((name) => process.rawListeners(name).map((listener) => [name, listener]));

/** What keeps the process alive and did not before, once what was closed had time to go: names of Node's own. */
async function stillOpen(before) {
  const until = performance.now() + CLOSING_MS;
  for (;;) {
    const left = process.getActiveResourcesInfo();
    for (const name of before) {
      const at = left.indexOf(name);
      if (at !== -1) left.splice(at, 1);
    }
    if (left.length === 0 || performance.now() > until) return left;
    await wait(LOOK_EVERY_MS);
  }
}
