// What `@jest/globals` is in the projects that Node loads (decisions/tests). A helper is loaded once for all files, so
// each name means the one of the file that runs now.
let current = {};

/** Before a file is imported: its `describe`, `it`, `expect`, `jest` and so on. */
export const nowRunning = (globals) => {
  current = globals;
};

const live = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, args) => current[name](...args),
    get: (_target, key) => current[name][key],
  });

export const afterAll = live('afterAll');
export const afterEach = live('afterEach');
export const beforeAll = live('beforeAll');
export const beforeEach = live('beforeEach');
export const describe = live('describe');
export const expect = live('expect');
export const it = live('it');
export const jest = live('jest');
export const test = live('test');
