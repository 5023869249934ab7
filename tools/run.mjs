// The door of every command: `node tools/run.mjs <name> [arguments]`, which `npm run <name>` calls. Plain JavaScript: it runs
// before anything is installed.
import { runCommand } from './bootstrap.mjs';

/** What a command runs, which arguments it takes, and what it is for. One without `about` reads all arguments itself. */
const COMMANDS = {
  start: {
    entry: 'tools/system/start.ts',
    takes: '[--detach] [--replicas <service>=<count>,…]',
    about: 'Starts the whole system, and pays once. --detach: it goes on when the command ends.',
  },
  stop: {
    entry: 'tools/system/stop.ts',
    about: 'Stops everything that was started from this checkout. The data stays.',
  },
  reset: {
    entry: 'tools/system/reset.ts',
    about: 'Stops everything that was started from this checkout, and removes its data, keys and logs.',
  },
  test: {
    entry: 'tools/testing/test.ts',
    takes: '[--changed] [--times] [words]…',
    about:
      'What shows that the system works (npm run test:all runs everything), or the test files whose path ' +
      'contains one of the words. --changed: those that a change affects. --times: what each step took.',
  },
  'test:all': {
    entry: 'tools/testing/test-all.ts',
    takes: '[--after-test] [--times]',
    about: 'Everything that must pass before a change lands. --after-test: without what npm test runs. --times: what ' + 'each step took.',
  },
  check: {
    entry: 'tools/testing/check.ts',
    takes: '[--times]',
    about: 'The quick part of npm test. --times: what each step took.',
  },
  pay: { entry: 'packages/cli/src/main.ts' },
  size: {
    entry: 'tools/size/main.ts',
    about: 'Prints how much there is of the repository, and how much there may be.',
  },
  bench: {
    entry: 'bench/main.ts',
    takes: '[bench]… | compare <file> <file>',
    about:
      'Times the running of payments, callbacks and others, one bench after another, or those that are named; ' +
      'or compares two files of figures.',
  },
  fuzz: {
    entry: 'e2e/fuzz/main.ts',
    takes: '[count] [seed]',
    about: 'Sends 10,000 signed requests made from docs/openapi.json, or the count, to the system that npm start runs.',
  },
  figures: {
    entry: 'services/console/test/figures.ts',
    about: "Prints how fast the console's first pages are.",
  },
  'docs:build': {
    entry: 'services/console/src/docs/build.ts',
    takes: '[folder]',
    about: 'Writes the documentation as files to artifacts/docs, or to the folder.',
  },
  'build:sdk': {
    entry: 'tools/sdk/main.ts',
    takes: '[folder]',
    about:
      'Makes the package of the SDK for TypeScript in packages/sdk/dist, or in the folder, and the sources of the ' +
      'other SDKs that come from the contract.',
  },
  'build:cli': {
    entry: 'tools/cli/main.ts',
    takes: '[--executable] [folder]',
    about:
      'Makes the command line of partners as a package in packages/cli/dist, or in the folder; --executable: as ' +
      'one program for this machine.',
  },
  'build:bruno': {
    entry: 'tools/examples/write-collection.ts',
    takes: '[folder]',
    about: 'Makes the collection for Bruno, a request for each operation, in artifacts/bruno, or in the folder.',
  },
  'move:partner': {
    entry: 'tools/cells/move/main.ts',
    takes: '--settings <file> --partner <partnerID> [--check | --release] [--drain-minutes <number>]',
    about: 'Moves a partner to another cell: docs/operate/deploy/cells.md.',
  },
  'drill:restore': {
    entry: 'e2e/restore/main.ts',
    about: 'Backs up a system of its own under load, breaks its database and restores it: about three minutes.',
  },
  'test:faults': {
    entry: 'e2e/faults/main.ts',
    takes: '[row]…',
    about: 'Breaks each part of a system of its own, or does the rows of docs/operate/faults.md that are named.',
  },
  'test:alerts': {
    entry: 'tools/monitoring/main.ts',
    about: 'Tries the rules of Prometheus with promtool.',
  },
  'test:cells': {
    entry: 'e2e/cells/main.ts',
    about: 'Moves a partner between two systems under load.',
  },
  'test:monitoring': {
    entry: 'e2e/monitoring/main.ts',
    takes: '[words]…',
    about: 'Makes every alert fire with a real Prometheus, or those whose name contains one of the words.',
  },
  'test:chart': {
    entry: 'tools/chart/main.ts',
    takes: '[--write]',
    about: 'Lints and renders the chart, and validates all manifests. --write: keeps what it renders.',
  },
  'test:ha': {
    entry: 'e2e/ha/main.ts',
    takes: '[row]…',
    about: 'Loses hosts of a cluster under load: every row of the table, or those that are named. Needs root and Linux.',
  },
  'test:clients': {
    entry: 'tools/clients/main.ts',
    takes: '[generator]…',
    about: 'Generates clients from docs/openapi.json, and sends 100,004 amounts through each.',
  },
  'test:update': {
    entry: 'e2e/update/main.ts',
    takes: '[--from <commit>]',
    about: 'Updates a system of the previous version under load, and rolls it back.',
  },
  'obtain-languages': { entry: 'tools/sdk/obtain-languages.ts' },
};

const [, , name = '', ...given] = process.argv;
if (!Object.hasOwn(COMMANDS, name)) {
  console.error(`${name === '' ? 'Which command?' : `There is no command ${name}.`} There are ${Object.keys(COMMANDS).join(', ')}`);
  process.exit(2);
}
await runCommand(name, COMMANDS[name], given);
