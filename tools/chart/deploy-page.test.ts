import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { FACTS } from '../../packages/contract/src/facts.ts';
import { checkFactKeys, factSigningKeys, factVerificationKeys } from '../../packages/shared/src/broker/fact-keys.ts';
import { commandConfig, maskedConfig, readConfig } from '../../packages/shared/src/config/config.ts';
import { Config as sandboxBank } from '../../services/sandbox-bank/src/config.ts';
import { commandList } from '../../packages/cli/test/command-list.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { PROGRAMS } from './programs.ts';

/** `docs/operate/deploy/README.md`, the Secrets of `deploy/secrets` and the sandbox bank of a TEST cluster. */
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/operate/deploy/README.md');
const blocks = [...page.matchAll(/^ *```(\w+) ?([^\n]*)\n([^]*?)^ *```$/gm)].map(([, language = '', info = '', text = '']) => ({
  language,
  info,
  text,
}));
const blockOf = (info: string): string => blocks.find((block) => block.info === info)?.text ?? '';

const ENVIRONMENTS = ['live', 'test'] as const;
type Environment = (typeof ENVIRONMENTS)[number];
const CONFIGURED: Readonly<Record<string, z.ZodObject>> = { ...PROGRAMS, 'sandbox-bank': sandboxBank };
/** Not secret, but in the Secret: changed together with what is, or refused in values for their names. */
const WITH_SECRETS = ['ENCRYPTION_KEY_ID', 'T_BANK_TERMINAL_KEY', 'T_BANK_CARD_KEY'];

/** The variables of a program's Secret, and whether it starts without. Those of a change (`…_PREVIOUS`) are left out. */
function secretsOf(config: z.ZodObject): Map<string, boolean> {
  const secrets = Object.entries(config.shape).filter(
    ([name]) => !name.endsWith('_PREVIOUS') && (WITH_SECRETS.includes(name) || maskedConfig(config, { [name]: 'x' })[name] === '***'),
  );
  return new Map(secrets.map(([name, rule]) => [name, !z.safeParse(rule, undefined).success]));
}

const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| ([a-z, -]+?) +\| (yes|no|LIVE|TEST) +\|/gm)].map(
  ([, name = '', programs = '', needed = '']) => ({ name, programs: programs.split(', '), needed }),
);

const text = z.string();
const ExternalSecret = (() => {
  const spec = z.object({
    target: z.object({ name: text, template: z.object({ data: z.record(text, text) }) }),
    data: z.array(z.object({ secretKey: text, remoteRef: z.object({ key: text, property: text }) })),
  });
  return z.object({ kind: z.literal('ExternalSecret'), spec });
})();
const Values = z.object({
  environment: text,
  operatorIdentityPublicKeys: text,
  programs: z.record(text, z.object({ env: z.record(text, text) })).default({}),
});

const specsOf = (environment: Environment) =>
  parseAllDocuments(read(`deploy/secrets/${environment}.yaml`)).flatMap((document) => {
    const parsed = ExternalSecret.safeParse(document.toJS());
    return parsed.success ? [parsed.data.spec] : [];
  });

/** A vault that keeps what `vault kv put <path> -` gets from stdin in a file. */
const VAULT = `
set -eu
cd "$FOLDER"
vault() { test "$1 $2 $4" = "kv put -"; cat > "$(echo "$3" | tr / +)"; }
npm() { test "$1 $2 $3" = "run pay --"; "$NODE" "$ROOT/packages/cli/src/main.ts" "\${@:4}" > /dev/null; }
`;
const folder = mkdtempSync(join(tmpdir(), 'pay-vault-'));
const vault = new Map<string, string>();
beforeAll(() => {
  const typed = blocks.filter(({ info }) => info === 'vault').map((block) => block.text);
  const forTest = typed
    .join('')
    .replace('ENVIRONMENT=live', 'ENVIRONMENT=test')
    .replace(/^roles="(.*)".*$/m, 'roles="$1 sandbox_bank"');
  const env = { PATH: process.env['PATH'], FOLDER: folder, ROOT, NODE: process.execPath };
  execFileSync('bash', ['--norc', '-c', `${VAULT}${typed.join('')}`], { env });
  execFileSync('bash', ['--norc', '-c', `${VAULT}rm -f *.pub\n${forTest}`], { env });
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const fromBank = {
    'terminal-key': 'TinkoffBankTest',
    password: 'usaf8fw8fsw21g',
    'card-key': publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
  for (const [property, value] of Object.entries(fromBank)) vault.set(`pay/live/t-bank ${property}`, value);
  for (const file of readdirSync(folder).filter((name) => name.startsWith('secret+')))
    for (const [property, value] of Object.entries(z.record(text, text).parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))))
      vault.set(`${file.replace('secret+', '').replaceAll('+', '/')} ${property}`, value);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The Secrets as External Secrets would make them, by name. @throws Error if the vault or the manifest lacks a part */
function madeFor(environment: Environment): Map<string, Record<string, string>> {
  return new Map(
    specsOf(environment).map(({ target, data }) => {
      const places = new Map(data.map(({ secretKey, remoteRef }) => [secretKey, `${remoteRef.key} ${remoteRef.property}`]));
      const valueOf = (_whole: string, key: string): string => {
        const value = vault.get(places.get(key) ?? '');
        if (value === undefined) throw new Error(`${target.name}: nothing for ${key}, ${String(places.get(key))}`);
        return value;
      };
      const fill = (template: string) => template.replaceAll(/\{\{ \.(\w+) \}\}/g, valueOf);
      return [target.name, Object.fromEntries(Object.entries(target.template.data).map(([name, template]) => [name, fill(template)]))];
    }),
  );
}

const ConfigMap = z.object({ kind: z.literal('ConfigMap'), metadata: z.object({ name: text }), data: z.record(text, text) });
const configMaps = new Map(
  ['deploy/kubernetes/pay.yaml', 'deploy/kubernetes/sandbox-bank.yaml']
    .flatMap((file) => parseAllDocuments(read(file)))
    .flatMap((document) => ConfigMap.safeParse(document.toJS()).data ?? [])
    .map(({ metadata, data }) => [metadata.name, data]),
);

/** What a program is started with: the chart's configuration with the page's values, and its Secret. */
function startedWith(environment: Environment, program: string): Record<string, string> {
  const values = Values.parse(parse(blockOf(`${environment}.yaml`)));
  const { OPERATOR_IDENTITY_PUBLIC_KEYS: keys, ...given } = configMaps.get(`pay-${program}`) ?? {};
  return {
    ...given,
    ...(keys === undefined ? {} : { OPERATOR_IDENTITY_PUBLIC_KEYS: values.operatorIdentityPublicKeys }),
    ENVIRONMENT: values.environment,
    ...values.programs[program]?.env,
    ...madeFor(environment).get(`pay-${program}`),
  };
}

/** As Helm merges a file of values into the chart's. */
function merged(defaults: unknown, given: unknown): unknown {
  const Values = z.record(text, z.unknown());
  const [below, above] = [Values.safeParse(defaults), Values.safeParse(given)];
  if (!below.success || !above.success) return given;
  const changed = Object.entries(above.data).map(([name, value]) => [name, merged(below.data[name], value)]);
  return { ...below.data, ...Object.fromEntries(changed) };
}

describe('docs/operate/deploy/README.md: the table of Secrets', () => {
  it.each(Object.entries(CONFIGURED))('%s: has each secret that it reads, and says which it needs', (program, config) => {
    const listed = rows.filter(({ programs }) => programs.includes(program));
    expect(listed.map(({ name }) => name).toSorted()).toEqual([...secretsOf(config).keys()].toSorted());
    const needed = [...secretsOf(config)].filter(([, isNeeded]) => isNeeded).map(([name]) => name);
    expect(
      listed
        .filter((row) => row.needed === 'yes')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(needed.toSorted());
  });
});

describe.each(ENVIRONMENTS)('deploy/secrets/%s.yaml', (environment) => {
  const programs = Object.keys(CONFIGURED).filter((name) => name !== 'portal' && (environment === 'test' || name !== 'sandbox-bank'));
  const ofEnvironment = environment.toUpperCase();

  it('makes a Secret for each program that has one, and for migrations, of what the table says', () => {
    const made = madeFor(environment);
    expect([...made.keys()].toSorted()).toEqual(['owner', ...programs].map((name) => `pay-${name}`).toSorted());
    for (const [name, secret] of made) {
      const own = rows.filter((row) => row.programs.includes(name.replace('pay-', '')));
      const listed = own.map((row) => row.name);
      const needed = own.filter((row) => ['yes', ofEnvironment].includes(row.needed)).map((row) => row.name);
      expect(Object.keys(secret).filter((variable) => !listed.includes(variable))).toEqual([]);
      expect(needed.filter((variable) => !Object.hasOwn(secret, variable))).toEqual([]);
    }
  });

  it.each(programs)('%s: accepts what manifests, chart and the commands of the page give it together', (program) => {
    const config = CONFIGURED[program];
    if (config === undefined) throw new Error(`no ${program}`);
    const given = startedWith(environment, program);
    expect(() => readConfig(config, given)).not.toThrow();
    const role = { checkout: 'payments', 'sandbox-bank': 'sandbox_bank' }[program] ?? program;
    expect(new URL(given['DATABASE_URL'] ?? '').username).toBe(role);
    const { FACT_SIGNING_KEYS: signs, FACT_VERIFICATION_KEYS: verifies } = given;
    checkFactKeys(program === 'checkout' ? '' : program, {
      facts: FACTS,
      ...(signs === undefined ? {} : { signingKeys: factSigningKeys.parse(signs) }),
      ...(verifies === undefined ? {} : { verificationKeys: factVerificationKeys.parse(verifies) }),
    });
  });

  it('lets migrations run as the owner', () => {
    const given = { ENVIRONMENT: ofEnvironment, ...madeFor(environment).get('pay-owner') };
    expect(new URL(readConfig(z.object(commandConfig), given).DATABASE_URL).username).toBe('pay_owner');
  });

  it('gives both sides of a shared key the same', () => {
    const made = madeFor(environment);
    const valueOf = (program: string, variable: string) => made.get(`pay-${program}`)?.[variable];
    for (const [program, config] of Object.entries(PROGRAMS))
      for (const variable of Object.keys(config.shape).filter((name) => /^[A-Z]+_INTERNAL_TOKEN_KEY$/.test(name)))
        expect([program, valueOf(program, variable)]).toEqual([
          program,
          valueOf(variable.replace('_INTERNAL_TOKEN_KEY', '').toLowerCase(), 'INTERNAL_TOKEN_KEY'),
        ]);
    expect(valueOf('checkout', 'ENCRYPTION_KEY')).toBe(valueOf('payments', 'ENCRYPTION_KEY'));
    expect(valueOf('checkout', 'DATABASE_URL')).toBe(valueOf('payments', 'DATABASE_URL'));
    // LIVE has neither.
    expect(valueOf('sandbox-bank', 'API_KEY')).toBe(valueOf('payments', 'SANDBOX_BANK_API_KEY'));
    for (const { owner, consumers } of Object.values(FACTS))
      for (const consumer of consumers) {
        const signing = (valueOf(owner, 'FACT_SIGNING_KEYS') ?? '').split(',').find((entry) => entry.startsWith(`${consumer}:`));
        expect(valueOf(consumer, 'FACT_VERIFICATION_KEYS')?.split(',')).toContain(signing?.replace(`${consumer}:`, `${owner}:`));
      }
  });

  it('reads its own places of the vault only, and its own servers', () => {
    const specs = specsOf(environment);
    const keys = specs.flatMap(({ data }) => data.map(({ remoteRef }) => remoteRef.key));
    expect(keys.filter((key) => !key.startsWith(`pay/${environment}/`))).toEqual([]);
    const hosts = specs.flatMap(({ target }) =>
      Object.values(target.template.data).flatMap((value) => /@([^:/]+):/.exec(value)?.[1] ?? []),
    );
    expect(hosts.length).toBeGreaterThan(15);
    expect(hosts.filter((host) => !host.endsWith(`.${environment}.internal`))).toEqual([]);
  });
});

describe('docs/operate/deploy/README.md: what it tells to type', () => {
  const code = blocks.map((block) => block.text).join('\n');

  it('names commands of the command line with options that these have', () => {
    const known = commandList()
      .split(/^- `pay /m)
      .slice(1)
      .map((entry) => ({
        words: (/^[^`]*/.exec(entry)?.[0] ?? '')
          .split(' ')
          .filter((word) => /^[a-z-]+$/.test(word))
          .join(' '),
        options: [...entry.matchAll(/^ {2}- `(--[a-z-]+)/gm)].map(([, option]) => option),
      }));
    const inCode = [...code.matchAll(/^ *(?:npm run )?pay (?:-- )?([^\n]+)/gm)].map(([, line = '']) => line.split(' #')[0] ?? '');
    const inText = [...page.matchAll(/`pay ([^`]+)`/g)].map(([, line = '']) => line);
    expect(inCode.length).toBeGreaterThan(12);
    const ofAll = ['--as', '--code', '--console', '--profile', '--json'];
    const wrong = [...inCode, ...inText].filter((line) => {
      const words = line.replaceAll(/ ?--(?:as|code|console|profile) \S+/g, '').trim();
      const command = known.find((one) => words === one.words || words.startsWith(`${one.words} `));
      return (
        command === undefined ||
        [...line.matchAll(/ (--[a-z-]+)/g)].some(([, option = '']) => ![...ofAll, ...command.options].includes(option))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('names scripts and files that are there, and hosts of the chart', () => {
    const { scripts } = z.object({ scripts: z.record(text, text) }).parse(JSON.parse(read('package.json')));
    const named = [...page.matchAll(/npm run ([a-z:]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    const files = [...code.matchAll(/(?<![\w/])(?:deploy|tools|services)\/[\w./-]+\.(?:ts|sh|sql|yaml)/g)].map(([path]) => path);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const images = /for image in ([^;]+);/.exec(code)?.[1]?.split(' ') ?? [];
    expect(images.toSorted()).toEqual(Object.keys(CONFIGURED).toSorted());
  });

  it('has values that the chart takes', () => {
    // Zod knows no `not`: Helm refuses secrets in values, and no name here is one.
    const known: unknown = JSON.parse(read('deploy/helm/pay/values.schema.json'), (key, value: unknown) =>
      key === 'not' ? undefined : value,
    );
    const schema = z.fromJSONSchema(z.record(text, z.json()).parse(known));
    const defaults: unknown = parse(read('deploy/helm/pay/values.yaml'));
    for (const environment of ENVIRONMENTS) {
      const values = merged(defaults, parse(blockOf(`${environment}.yaml`)));
      expect(schema.safeParse(values).error?.issues ?? []).toEqual([]);
    }
  });
});
