// What `npm run lint` refuses (decisions/runtime). `correctness` is oxlint's own set; the rest is chosen here.
import { defineConfig } from 'oxlint';

const TESTS = ['**/*.test.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'bench/**/*.ts', 'tools/**/*.ts'];

/** Made by packages/contract/src/write-sdk-types.ts. */
const GENERATED = ['packages/sdk/src/types.ts', 'packages/sdk/src/events.ts'];

type Syntax = { readonly selector: string; readonly message: string };

/** Forbidden everywhere. */
const NEVER: Syntax[] = [
  {
    selector: 'TSEnumDeclaration',
    message: 'Use a union of literals: Node strips types and cannot run an enum.',
  },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import the file that defines the name.' },
  {
    selector: 'ImportDeclaration[source.value=/\\u002findex(\\.ts|\\.js)?$/]',
    message: 'No barrels: import the file that defines the name.',
  },
];

/** Forbidden where the program decides something: time comes from the database, randomness from node:crypto. */
const NO_HIDDEN_INPUT: Syntax[] = [
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
const NO_RAW_SQL: Syntax[] = [
  {
    selector:
      "CallExpression[callee.property.name='execute'], CallExpression[callee.name='selectRows'], CallExpression[callee.object.name='pool'][callee.property.name='query']",
    message: 'Raw SQL belongs in db/, in a function named for its intent.',
  },
];
const NO_TRANSACTION: Syntax[] = [
  {
    selector: "CallExpression[callee.property.name='transaction'], CallExpression[callee.name=/^in(Known)?Transaction$/]",
    message: 'The caller opens the transaction: take tx. Statements that are all known beforehand: inOneRoundTrip.',
  },
];

const restricted = (...syntax: Syntax[]) => ({ 'here/restricted-syntax': ['error' as const, ...syntax] });

/** A pure file: nothing but its arguments decides its result. */
const OUTSIDE_WORLD = ['process', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto'].map((name) => ({
  name,
  message: 'A decision knows only its arguments.',
}));
/** How an amount would become a double. */
const PARSE_FLOAT = { name: 'parseFloat', message: 'An amount never passes through a double.' };
const NUMBER = { name: 'Number', message: 'An amount never passes through a double.' };

/** Names that a script finds, and that `no-undef` takes for known. */
const globals = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'readonly' as const]));

const errors = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'error' as const]));

export default defineConfig({
  plugins: ['typescript', 'jest', 'oxc'],
  jsPlugins: ['./tools/testing/restricted-syntax.js'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  ignorePatterns: ['**/node_modules/', '.local/', 'artifacts/', '**/migrations/', 'services/console/dist/', '**/dist/'],
  rules: {
    ...errors(
      'eqeqeq',
      'no-array-constructor',
      'no-case-declarations',
      'no-empty',
      'no-empty-function',
      'no-fallthrough',
      'no-prototype-builtins',
      'no-regex-spaces',
      'no-useless-assignment',
      'no-useless-constructor',
      'no-var',
      'prefer-const',
      'prefer-rest-params',
      'prefer-spread',
      'preserve-caught-error',
    ),
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx', '**/*.mts'],
      rules: {
        ...errors(
          'no-console',
          'typescript/adjacent-overload-signatures',
          'typescript/array-type',
          'typescript/ban-tslint-comment',
          'typescript/class-literal-property-style',
          'typescript/consistent-generic-constructors',
          'typescript/consistent-indexed-object-style',
          'typescript/consistent-type-assertions',
          'typescript/dot-notation',
          'typescript/no-confusing-non-null-assertion',
          'typescript/no-confusing-void-expression',
          'typescript/no-deprecated',
          'typescript/no-dynamic-delete',
          'typescript/no-empty-object-type',
          'typescript/no-explicit-any',
          'typescript/no-extraneous-class',
          'typescript/no-generated-empty-object-type',
          'typescript/no-inferrable-types',
          'typescript/no-invalid-void-type',
          'typescript/no-misused-promises',
          'typescript/no-mixed-enums',
          'typescript/no-namespace',
          'typescript/no-non-null-asserted-nullish-coalescing',
          'typescript/no-non-null-assertion',
          'typescript/no-require-imports',
          'typescript/no-unnecessary-boolean-literal-compare',
          'typescript/no-unnecessary-condition',
          'typescript/no-unnecessary-template-expression',
          'typescript/no-unnecessary-type-arguments',
          'typescript/no-unnecessary-type-assertion',
          'typescript/no-unnecessary-type-constraint',
          'typescript/no-unnecessary-type-conversion',
          'typescript/no-unnecessary-type-parameters',
          'typescript/no-unsafe-argument',
          'typescript/no-unsafe-assignment',
          'typescript/no-unsafe-call',
          'typescript/no-unsafe-function-type',
          'typescript/no-unsafe-member-access',
          'typescript/no-unsafe-return',
          'typescript/non-nullable-type-assertion-style',
          'typescript/only-throw-error',
          'typescript/prefer-find',
          'typescript/prefer-for-of',
          'typescript/prefer-function-type',
          'typescript/prefer-includes',
          'typescript/prefer-literal-enum-member',
          'typescript/prefer-nullish-coalescing',
          'typescript/prefer-optional-chain',
          'typescript/prefer-promise-reject-errors',
          'typescript/prefer-reduce-type-parameter',
          'typescript/prefer-regexp-exec',
          'typescript/prefer-return-this-type',
          'typescript/prefer-string-starts-ends-with',
          'typescript/related-getter-setter-pairs',
          'typescript/require-await',
          'typescript/unified-signatures',
          'typescript/use-unknown-in-catch-callback-variable',
        ),
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/consistent-type-definitions': ['error', 'type'],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        // Spreading digits and ASCII into characters is what is meant; there is no text with emojis here.
        'typescript/no-misused-spread': ['error', { allow: ['string'] }],
        'typescript/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNever: false,
            allowNullish: false,
            allowNumber: false,
            allowRegExp: false,
          },
        ],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/strict-boolean-expressions': ['error', { allowString: false, allowNumber: false, allowNullableObject: false }],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        ...restricted(...NEVER, ...NO_HIDDEN_INPUT),
      },
    },
    {
      // Joining a global interface of the language is the one thing that a type alias cannot do.
      files: ['**/*.d.ts', '**/*.d.mts'],
      rules: { 'typescript/consistent-type-definitions': 'off' },
    },
    {
      // Size limits: what does not fit is two things.
      files: ['services/**/*.{ts,tsx}', 'packages/**/*.ts'],
      rules: {
        'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
        'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
        'max-params': ['error', 4],
        complexity: ['error', 12],
      },
    },
    // A catalogue is as long as what it says.
    { files: ['services/console/src/web/texts/*.ts'], rules: { 'max-lines': 'off' } },
    { files: ['services/*/src/**/*.ts'], rules: restricted(...NEVER, ...NO_HIDDEN_INPUT, ...NO_RAW_SQL) },
    { files: ['services/*/src/db/**/*.ts'], rules: restricted(...NEVER, ...NO_HIDDEN_INPUT, ...NO_TRANSACTION) },
    { files: ['**/domain/**/*.ts'], rules: { 'no-restricted-globals': ['error', ...OUTSIDE_WORLD, PARSE_FLOAT] } },
    {
      files: ['packages/shared/src/money/**/*.ts'],
      rules: { 'no-restricted-globals': ['error', ...OUTSIDE_WORLD, PARSE_FLOAT, NUMBER] },
    },
    {
      // Tests and tools tell long stories, and may look at anything.
      files: [...TESTS, ...GENERATED],
      rules: {
        'max-lines-per-function': 'off',
        'max-lines': 'off',
        'max-params': 'off',
        complexity: 'off',
        'no-restricted-globals': 'off',
        'typescript/require-array-sort-compare': 'off',
      },
    },
    {
      // A partner's program, the sandbox's tools, the console's pages and the tests live by the clock of their own process;
      // a test names the moments that matter to it.
      files: [
        ...TESTS,
        'packages/sdk/**/*.ts',
        'packages/cli/**/*.ts',
        'services/console/src/web/**/*.{ts,tsx}',
        'services/console/src/docs/browser/**/*.ts',
        'packages/shared/src/time/wall-clock.ts',
      ],
      rules: restricted(...NEVER),
    },
    { files: ['tools/**', 'bench/**', 'packages/cli/src/**'], rules: { 'no-console': 'off' } },
    // A reader's programs: short, and they print.
    { files: ['examples/receivers/**'], rules: { 'no-console': 'off', 'typescript/require-await': 'off' } },
    {
      // What partners copy. Its packages are not installed here, so what comes from them has no type; the example shop is
      // compiled against the packed SDK in e2e/shop.e2e.test.ts.
      files: ['examples/shop/**/*.ts'],
      rules: {
        'no-console': 'off',
        'typescript/no-confusing-void-expression': 'off',
        'typescript/no-redundant-type-constituents': 'off',
        'typescript/no-unnecessary-type-parameters': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/restrict-template-expressions': 'off',
        ...restricted(...NEVER),
      },
    },
    {
      files: ['**/*.test.ts'],
      rules: {
        ...errors(
          'jest/no-alias-methods',
          'jest/no-commented-out-tests',
          'jest/no-deprecated-functions',
          'jest/no-done-callback',
          'jest/no-identical-title',
          'jest/no-interpolation-in-snapshots',
          'jest/no-jasmine-globals',
          'jest/no-mocks-import',
          'jest/no-test-prefixes',
        ),
        'jest/require-to-throw-message': 'off',
        'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert', 'assert*'] }],
      },
    },
    {
      // Plain scripts: they run before, or without, the pinned runtime.
      files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
      env: { builtin: true },
      globals: globals(
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
      ),
      rules: {
        'no-undef': 'error',
        // Their values have no types to go by.
        'typescript/no-base-to-string': 'off',
        'typescript/no-misused-spread': 'off',
        'typescript/restrict-template-expressions': 'off',
        'typescript/unbound-method': 'off',
        ...restricted(...NEVER.slice(1)),
      },
    },
    {
      // The names of the package that partners install (decisions/sdks), and what stands for React
      // (decisions/console-pages).
      files: ['packages/sdk/src/main.ts', 'services/console/src/web/react.mjs'],
      rules: restricted(...NEVER.filter(({ selector }) => selector !== 'ExportAllDeclaration')),
    },
    { files: ['**/*.cjs'], globals: { ...globals('require', '__dirname'), module: 'writable' } },
    {
      // Scripts of the hosted pages, which run in the buyer's browser.
      files: [
        'services/*/src/checkout/**/*.js',
        'services/*/src/pages/**/*.js',
        'services/*/src/web/**/*.js',
        'services/*/src/assets/**/*.js',
        'examples/*/public/*.js',
      ],
      env: { browser: true },
    },
  ],
});
