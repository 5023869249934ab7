import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What a package keeps there for as long as the process lives. */
const OF_PACKAGES = /^__zod_/;

/**
 * The environment of the project "unit": the process itself instead of a `vm` context for each file (ADR 0166). What a
 * file changes in the process's environment variables, working directory, console or clock is put back when it ends.
 * A file that leaves a global behind fails.
 */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #before = {
    names: new Set(Object.getOwnPropertyNames(globalThis)),
    variables: { ...process.env },
    folder: process.cwd(),
    console: globalThis.console,
    // jest puts its own in their place for the file.
    exit: process.exit,
    getBuiltinModule: process.getBuiltinModule,
  };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup() {
    process.getBuiltinModule = this.#before.getBuiltinModule;
  }

  teardown() {
    const { names, variables, folder, console, exit } = this.#before;
    this.fakeTimersModern.dispose();
    process.exit = exit;
    globalThis.console = console;
    if (process.cwd() !== folder) process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    const left = Object.getOwnPropertyNames(globalThis).filter((name) => !names.has(name) && !OF_PACKAGES.test(name));
    if (left.length > 0) throw new Error(`The file leaves globals behind: ${left.join(', ')}`);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** jest asks every environment for it; nothing is run in it. */
  getVmContext() {
    return null;
  }
}
