import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

const TESTS = ['**/*.test.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'bench/**/*.ts', 'tools/**/*.ts'];

/** Made by packages/contract/src/write-sdk-types.ts. */
const GENERATED = ['packages/sdk/src/types.ts', 'packages/sdk/src/events.ts'];

/** Forbidden everywhere. */
const NEVER = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals: Node strips types and cannot run an enum.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import the file that defines the name.' },
  {
    selector: 'ImportDeclaration[source.value=/\\u002findex(\\.ts|\\.js)?$/]',
    message: 'No barrels: import the file that defines the name.',
  },
];

/** Forbidden where the program decides something: time comes from the database, randomness from node:crypto. */
const NO_HIDDEN_INPUT = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time is an argument: clock(reader) reads it once per transaction.',
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: 'Time is an argument: clock(reader) reads it once per transaction.',
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Time is an argument: clock(reader) reads it once per transaction.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Use node:crypto: Math.random is guessable and cannot be replayed.',
  },
];

/** Statements live in `db/`, and whoever calls them opens the transaction (CONTRIBUTING, rule 5). */
const NO_RAW_SQL = [
  {
    selector:
      "CallExpression[callee.property.name='execute'], CallExpression[callee.name='selectRows'], CallExpression[callee.object.name='pool'][callee.property.name='query']",
    message: 'Raw SQL belongs in db/, in a function named for its intent.',
  },
];
const NO_TRANSACTION = [
  {
    selector:
      "CallExpression[callee.property.name='transaction'], CallExpression[callee.name=/^in(Known)?Transaction$/]",
    message: 'The caller opens the transaction: take tx. Statements that are all known beforehand: inOneRoundTrip.',
  },
];

/** A pure file: nothing but its arguments decides its result. */
const OUTSIDE_WORLD = ['process', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto'].map(
  (name) => ({
    name,
    message: 'A decision knows only its arguments.',
  }),
);
/** How an amount would become a double. */
const DOUBLES = [
  { name: 'parseFloat', message: 'An amount never passes through a double.' },
  { name: 'Number', message: 'An amount never passes through a double.' },
];

export default tseslint.config(
  { ignores: ['**/node_modules/', '.local/', 'artifacts/', '**/migrations/', 'services/console/dist/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/strict-boolean-expressions': [
        'error',
        { allowString: false, allowNumber: false, allowNullableObject: false },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/only-throw-error': 'error',
      // They took a sixth of the time and never found anything: enums are forbidden (`NEVER`), and nobody writes an object
      // where an instance of a class is meant.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', ...NEVER, ...NO_HIDDEN_INPUT],
      // Spreading digits and ASCII into characters is what is meant; there is no text with emojis here.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // Joining a global interface of the language is the one thing that a type alias cannot do.
    files: ['**/*.d.ts', '**/*.d.mts'],
    rules: { '@typescript-eslint/consistent-type-definitions': 'off' },
  },
  {
    // Size limits: what does not fit is two things. Tests and tools tell long stories.
    files: ['services/**/*.{ts,tsx}', 'packages/**/*.ts'],
    ignores: [...TESTS, ...GENERATED],
    rules: {
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      complexity: ['error', 12],
    },
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: [...TESTS, 'services/*/src/db/**'],
    rules: { 'no-restricted-syntax': ['error', ...NEVER, ...NO_HIDDEN_INPUT, ...NO_RAW_SQL] },
  },
  {
    files: ['services/*/src/db/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', ...NEVER, ...NO_HIDDEN_INPUT, ...NO_TRANSACTION] },
  },
  {
    files: ['**/domain/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-globals': ['error', ...OUTSIDE_WORLD, DOUBLES[0]] },
  },
  {
    files: ['packages/shared/src/money/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-globals': ['error', ...OUTSIDE_WORLD, ...DOUBLES] },
  },
  {
    // A partner's program, the sandbox's tools, the console's pages and the tests live by the clock of their own process;
    // a test names the moments that matter to it.
    files: [
      ...TESTS,
      'packages/sdk/**/*.ts',
      'packages/cli/**/*.ts',
      'services/console/src/web/**/*.{ts,tsx}',
      'packages/shared/src/time/wall-clock.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...NEVER] },
  },
  {
    // The names of the package that partners install (ADR 0168).
    files: ['packages/sdk/src/main.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...NEVER.filter(({ selector }) => selector !== 'ExportAllDeclaration')],
    },
  },
  {
    files: ['tools/**', 'bench/**', 'packages/cli/src/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.test.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert', 'assert*'] }],
      'jest/no-focused-tests': 'error',
      'jest/no-disabled-tests': 'error',
      // jest's own version knows that expect(object.method) does not call it.
      '@typescript-eslint/unbound-method': 'off',
      'jest/unbound-method': 'error',
    },
  },
  {
    // Plain scripts: they run before, or without, the pinned runtime.
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        ...Object.fromEntries(
          [
            'process',
            'console',
            'Buffer',
            'URL',
            'URLSearchParams',
            'fetch',
            'AbortController',
            'AbortSignal',
            'setTimeout',
            'clearTimeout',
            'setInterval',
            'clearInterval',
            'setImmediate',
            'performance',
            'TextDecoder',
            'TextEncoder',
            'structuredClone',
          ].map((name) => [name, 'readonly']),
        ),
      },
    },
    rules: { 'no-restricted-syntax': ['error', ...NEVER.slice(1)], eqeqeq: 'error' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { module: 'writable', require: 'readonly', __dirname: 'readonly' },
    },
  },
  {
    // Scripts of the hosted pages, which run in the buyer's browser.
    files: [
      'services/*/src/checkout/**/*.js',
      'services/*/src/pages/**/*.js',
      'services/*/src/web/**/*.js',
      'services/*/src/assets/**/*.js',
    ],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'window',
          'document',
          'location',
          'history',
          'navigator',
          'HTMLElement',
          'HTMLInputElement',
          'HTMLFormElement',
          'HTMLButtonElement',
          'HTMLSelectElement',
          'Element',
          'Event',
          'FormData',
          'requestAnimationFrame',
          'matchMedia',
          'sessionStorage',
          'localStorage',
          'customElements',
          'MutationObserver',
          'IntersectionObserver',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
