import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import type { Need } from './needs.ts';

// The generators that partners use. Each comes from its registry, so this is not a part of `npm test`.

const DOCUMENT = join(ROOT, 'docs/openapi.json');
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** What a program printed. @throws Error with its output if it fails. */
const run = (folder: string, program: string, given: readonly string[], input = ''): string =>
  execFileSync(program, given, { cwd: folder, input, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX });

type Generator = {
  readonly needs: readonly Need[];
  /** Makes a client in an empty folder, and passes amounts through it: a JSON number on each line, in and out. */
  readonly passOn: (folder: string, amounts: string) => string;
};

const PYTHON: Need = ['Python', ['python3', '--version'], '3.11'];
const PIP: Need = ['pip', ['python3', '-m', 'pip', '--version'], '22.3'];
/** As oapi-codegen and the generated clients take it. */
const GO: Need = ['Go', ['go', 'version'], '1.25'];
/** For openapi-generator itself. */
const JAVA: Need = ['Java', ['java', '--version'], '11'];
const NPX: Need = ['npx', ['npx', '--version'], '9'];

const program = (name: string, folder: string): void => {
  copyFileSync(join(import.meta.dirname, name), join(folder, name));
};

/** As the programs of the other languages: it is no file, because what it imports is not there. */
const MONEY_TS = `import { text } from 'node:stream/consumers';
import type { components } from './client.ts';

const lines = (await text(process.stdin)).trim().split('\\n');
for (const line of lines) {
  const amount: number = JSON.parse(line);
  const body: components['schemas']['CreateCardPayment'] = {
    orderID: 'A-1',
    amount,
    currency: 'RUB',
    description: 'Tea',
    customerID: 'c1',
  };
  console.log(JSON.stringify(body.amount));
}
`;

export const GENERATORS: Readonly<Record<string, Generator>> = {
  /** Each amount passes jsonschema, too. */
  'openapi-python-client': {
    needs: [PYTHON, PIP],
    passOn(folder, amounts) {
      run(folder, 'python3', ['-m', 'venv', '--without-pip', 'venv']);
      const own = ['-m', 'pip', '--python', 'venv/bin/python', 'install', '-q'];
      run(folder, 'python3', [...own, 'openapi-python-client==0.29.1', 'jsonschema==4.26.0']);
      writeFileSync(join(folder, 'config.yml'), 'package_name_override: payments\nproject_name_override: payments\npost_hooks: []\n');
      const options = ['--config', 'config.yml', '--meta', 'none', '--output-path', 'payments'];
      run(folder, join(folder, 'venv/bin/openapi-python-client'), ['generate', '--path', DOCUMENT, ...options]);
      program('money.py', folder);
      return run(folder, join(folder, 'venv/bin/python'), ['money.py', DOCUMENT], amounts);
    },
  },
  'oapi-codegen': {
    needs: [GO],
    passOn(folder, amounts) {
      run(folder, 'go', ['mod', 'init', 'payments']);
      // Without skip-prune the events are left out, and the callbacks name types that do not exist.
      const output = 'output: client.go\ngenerate: { models: true, client: true }\noutput-options: { skip-prune: true }\n';
      writeFileSync(join(folder, 'config.yml'), `package: main\n${output}`);
      const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
      run(folder, 'go', ['run', generator, '--config', 'config.yml', DOCUMENT]);
      program('money.go', folder);
      run(folder, 'go', ['mod', 'tidy']);
      return run(folder, 'go', ['run', '.'], amounts);
    },
  },
  /** A program in Java from Maven Central. All of the client is compiled, the records of the events as well. */
  'openapi-generator': {
    needs: [NPX, JAVA, GO],
    passOn(folder, amounts) {
      writeFileSync(join(folder, 'openapitools.json'), '{"generator-cli":{"version":"7.25.0"}}\n');
      const options = ['-g', 'go', '-i', DOCUMENT, '-o', '.', '--git-user-id', 'payments', '--git-repo-id', 'payments'];
      run(folder, 'npx', ['-y', '@openapitools/openapi-generator-cli@2.41.0', 'generate', ...options]);
      mkdirSync(join(folder, 'money'));
      copyFileSync(join(import.meta.dirname, 'generated_money.go'), join(folder, 'money/main.go'));
      run(folder, 'go', ['vet', '.']);
      return run(folder, 'go', ['run', './money'], amounts);
    },
  },
  /** The program does not compile if the amount is no number. */
  'openapi-typescript': {
    needs: [NPX],
    passOn(folder, amounts) {
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
      run(folder, 'npx', ['-y', 'openapi-typescript@7.13.0', DOCUMENT, '-o', 'client.ts']);
      writeFileSync(join(folder, 'money.ts'), MONEY_TS);
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
      const strict = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--allowImportingTsExtensions'];
      run(folder, process.execPath, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), ...strict, ...types, 'money.ts']);
      return run(folder, process.execPath, ['money.ts'], amounts);
    },
  },
};
