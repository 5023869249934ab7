// Who may import whom. Each rule was made to fire once before it was trusted. Tests are exempt from the layer rules.
const TEST = '\\.test\\.ts$|(^|/)test/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'services-are-strangers',
      comment: 'A service learns another one’s facts from messages and HTTP, never from its code.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'no-card-number-in-the-api',
      comment: 'A card number reaches checkout and no other process (decisions/checkout): nothing that takes one is loaded there.',
      severity: 'error',
      from: { path: '^services/payments/src/(main|seed|reencrypt)\\.ts$' },
      to: {
        path: '^services/payments/src/(checkout/|checkout-main\\.ts|checkout-config\\.ts|use-cases/checkout/)',
        reachable: true,
      },
    },
    {
      name: 'packages-know-no-service',
      comment: 'What every service needs is owned by none of them.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'shared-stands-low',
      comment: 'What services need stands on packages/signing and nothing else of ours.',
      severity: 'error',
      from: { path: '^packages/shared/src/' },
      to: { path: '^packages/', pathNot: '^packages/(shared|signing)/' },
    },
    {
      name: 'contract-knows-no-client',
      comment: 'The SDK is made from the contract, not the other way round.',
      severity: 'error',
      from: { path: '^packages/contract/src/' },
      to: { path: '^packages/(sdk|cli)/' },
    },
    {
      name: 'pages-take-types-and-states',
      comment:
        'The console’s pages know the contract by its types and its lists of states: a schema would bring zod into the ' +
        'browser. bundle.ts hashes the files that are named here.',
      severity: 'error',
      from: { path: '^services/console/src/web/' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/contract/src/(operator/)?(states|transfer-networks)\\.ts$',
          '^packages/shared/src/(content/(card-data|masked-digits)|operators/roles|time/day)\\.ts$',
          '^packages/signing/src/key-text\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'states-need-nothing',
      comment: 'Browsers load them.',
      severity: 'error',
      from: { path: '^packages/contract/src/(operator/)?(states|transfer-networks)\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'signing-needs-nothing',
      comment: 'Partners and services sign with the same few files: they run wherever Node runs, with nothing installed.',
      severity: 'error',
      from: { path: '^packages/signing/src/', pathNot: TEST },
      to: { pathNot: ['^packages/signing/src/', '^(node:)?(crypto|buffer)$'] },
    },
    {
      name: 'sdk-needs-signing-only',
      comment: 'A partner installs the client and nothing besides: no package of ours but signing, no dependency.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: TEST },
      to: { pathNot: '^packages/(sdk|signing)/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'nobody-imports-the-command-line',
      comment: 'A program calls the SDK; the command line is for people and scripts. Tests may run it.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^packages/cli/' },
      to: { path: '^packages/cli/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'A decision knows values only: its own folder, money, the error catalogue, and types.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: TEST },
      to: {
        pathNot: [
          '^services/[^/]+/src/domain/',
          '^packages/shared/src/(money|errors|time|sandbox)/',
          '^packages/shared/src/operators/(roles|second-person)\\.ts$',
          '^packages/shared/src/net/public-(url|address)\\.ts$',
          '^packages/contract/src/',
          'node_modules/(temporal-polyfill|temporal-spec|temporal-utils|decimal\\.js)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'domain-types-stay-home',
      comment: 'Even a type of db/, http/ or express in domain/ turns the arrow round.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: TEST },
      to: {
        path: ['^services/[^/]+/src/(db|http|consumers|use-cases|acquirers|checkout)/', 'node_modules/(express|drizzle-orm|pg|amqplib)/'],
      },
    },
    {
      name: 'http-does-not-touch-the-database',
      comment:
        'A route parses, calls one use case and renders. It may name the type of the row that it renders. A plain read ' +
        '(get-…, list-…) decides nothing: a use case that only passes on is no layer.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/http/', pathNot: [TEST, '/http/(get|list)-', '/http/[a-z]+/(get|list)-'] },
      to: { path: ['^services/[^/]+/src/db/', 'node_modules/(drizzle-orm|pg)/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'db-is-a-leaf',
      comment: 'Statements know tables and domain types, and nothing that decides.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/db/', pathNot: TEST },
      to: { path: '^services/[^/]+/src/(http|use-cases|consumers|acquirers|checkout|views)/' },
    },
    {
      name: 'use-cases-do-not-know-express',
      comment: 'A use case is called by routes, consumers and loops alike.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(use-cases|domain|db|consumers)/', pathNot: TEST },
      to: { path: ['^services/[^/]+/src/http/', 'node_modules/express/'] },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: '^(services|packages)/[^/]+/src/', pathNot: TEST },
      to: {
        path: [TEST, '^tools/', '^e2e/', '^bench/', 'node_modules/(@jest|jest|fast-check|testcontainers|@testcontainers)/'],
      },
    },
    {
      name: 'no-development-dependency-in-production',
      severity: 'error',
      // What writes tracked files runs on a developer's machine.
      from: { path: '^(services|packages)/[^/]+/src/', pathNot: [TEST, '^packages/contract/src/write-'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'no-cycles',
      comment: 'Of running code; two files may name each other’s types.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is dead, or an entry point that is named here.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.m?ts$',
          '\\.(js|css)$',
          '\\.config\\.(js|ts)$',
          '\\.mjs$',
          '\\.test\\.ts$',
          '^tools/testing/',
          // A script of the documentation's pages.
          '^services/console/src/docs/browser/page\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'nothing-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)\\.local/', '(^|/)migrations/', '^services/console/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.d.ts', '.d.mts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
