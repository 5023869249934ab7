import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import circus from 'jest-circus/runner';
import { nowRunning } from './native-globals.mjs';

const require = createRequire(import.meta.url);
const GLOBALS = new URL('./native-globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => (specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context)),
});

/** A failure that came by chance could not be told from one that the change made: each run tries the same values. */
const SEED = 20_261_124;
const wanted = process.env['PROPERTY_SEED'] ?? '';
if (wanted !== 'random') fc.configureGlobal({ seed: wanted === '' ? SEED : Number(wanted) });

let files = 0;

/**
 * jest's `testRunner` of the projects that Node loads (decisions/tests): jest-circus, but Node imports the test file
 * and what it needs, so that a worker loads each module once and strips types as production does. jest's own loader
 * would link the whole graph anew for each file.
 */
export default function runNatively(globalConfig, projectConfig, environment, runtime, path, sendMessageToJest) {
  Object.assign(runtime, {
    requireInternalModule: loadAnew,
    setGlobalsForRuntime: (globals) => {
      nowRunning({ ...globals, jest: jestObject(environment) });
    },
    unstable_shouldLoadAsEsm: () => true,
    // The number: in watch mode the same worker runs a file again.
    unstable_importModule: (file) => import(`${pathToFileURL(file).href}?run=${String((files += 1))}`),
  });
  return circus.default(globalConfig, projectConfig, environment, runtime, path, sendMessageToJest);
}

/** jest-circus keeps the tests and listeners of one file in itself: each file gets a copy of its own. */
function loadAnew(path) {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol === Symbol.for('EVENT_HANDLERS') || symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
  delete require.cache[path];
  return require(path);
}

/** What this project's tests use of the object `jest`. There is no `jest.mock`: nothing of our own is mocked. */
function jestObject({ moduleMocker, fakeTimersModern: timers }) {
  const jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    mocked: (spied) => spied,
    restoreAllMocks: () => {
      moduleMocker.restoreAllMocks();
      return jest;
    },
    useFakeTimers: (options) => {
      timers.useFakeTimers(options);
      return jest;
    },
    useRealTimers: () => {
      timers.useRealTimers();
      return jest;
    },
    advanceTimersByTime: (ms) => {
      timers.advanceTimersByTime(ms);
    },
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  };
  return jest;
}
