import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { KEYS } from '../packages/sdk/test/callbacks.ts';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { CONFORMANCE_FILES, TYPED_CONSUMER, TYPED_WEB_CONSUMER, WRONG_CONSUMER } from '../tools/sdk/consumer.ts';
import { installSdk, type InstalledSdk } from '../tools/sdk/installed.ts';
import { ENTRIES, manifestOf, OLDEST_NODE } from '../tools/sdk/manifest.ts';
import { runtimes } from '../tools/sdk/runtimes.ts';
import { exampleUnder, firstExample, startExample } from '../tools/sdk/readme-example.ts';
import { runningSystem } from '../tools/testing/running-system.ts';
import { exampleVariables, followTheExample, payTheExample, STREAM_HEADING } from './sdk-example.ts';
import { openWorld, type World } from './world.ts';

const run = promisify(execFile);
const RUNTIMES = runtimes();
const HERE = RUNTIMES.flatMap(({ name, command }) => (command === undefined ? [] : [{ name, command }]));
const VECTORS = ['request-signing.json', 'callback-signing.json'].map((name) => join(ROOT, 'packages/signing/test/vectors', name));

let installed: InstalledSdk;
let shop = '';
let sdk = '';
beforeAll(async () => {
  installed = await installSdk();
  shop = installed.shop;
  sdk = join(shop, 'node_modules/@pay/sdk');
});
afterAll(() => installed.remove());

const text = (name: string) => readFile(join(sdk, name), 'utf8');

/** A file of the package with every file of the package that it imports. */
async function closureOf(name: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (!seen.has(name)) {
    seen.add(name);
    for (const [, imported = ''] of (await text(name)).matchAll(/(?:from|import|require\()\s*["'`]\.\/([^"'`]+)["'`]/g)) {
      await closureOf(imported, seen);
    }
  }
  return seen;
}

describe('the file that partners install', () => {
  it('installs in an empty folder, without network, and brings nothing else', async () => {
    expect((await readdir(join(shop, 'node_modules'))).sort()).toEqual(['.package-lock.json', '@pay']);
    expect(await readdir(join(shop, 'node_modules/@pay'))).toEqual(['sdk']);
    expect(await readdir(sdk)).not.toContain('node_modules');
  });

  it('holds what was built, the README and the licence: no test, no key, no source', async () => {
    const names = await readdir(sdk, { recursive: true });
    const built = new RegExp(`^(${Object.values(ENTRIES).join('|')}|[a-z-]+-[\\w-]{8})(\\.d)?\\.[mc](js|ts)$`);
    const others = names.filter((name) => !built.test(name) || /(?<!\.d)\.[mc]?ts$/.test(name));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const { privateKeyPkcs8Pem } = JSON.parse(await readFile(VECTORS[0] ?? '', 'utf8')) as {
      privateKeyPkcs8Pem: string;
    };
    const secrets = [
      privateKeyPkcs8Pem.split('\n')[1] ?? '',
      (await readFile(join(ROOT, 'packages/sdk/test/openssh-ed25519'), 'utf8')).split('\n')[2] ?? '',
      ...KEYS.map(({ secret }) => secret),
    ];
    const all = (await Promise.all(names.map(text))).join('\n');
    expect(secrets.filter((secret) => secret.length < 20 || all.includes(secret))).toEqual([]);
  });

  it('has a manifest that names no dependency, no workspace and no source', async () => {
    const manifest = JSON.parse(await text('package.json')) as Record<string, unknown>;
    expect(Object.keys(manifest).sort()).toEqual(
      [
        'description',
        'engines',
        'exports',
        'keywords',
        'license',
        'main',
        'module',
        'name',
        'sideEffects',
        'type',
        'types',
        'version',
        ...('repository' in manifest ? ['repository'] : []),
      ].sort(),
    );
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|(?<!\.d)\.[mc]?ts"/);
    expect(await text('README.md')).toContain(`npm install ./${basename(installed.tarball)}`);
    expect(await text('README.md')).toContain('Node 20.19 or later');
    expect(manifest['engines']).toEqual({ node: '>=20.19.0' });
    expect(await readFile(join(ROOT, 'tools/sdk/fetch-runtimes.sh'), 'utf8')).toContain(` ${OLDEST_NODE} `);
  });

  it('says where its sources are when a forge builds it', () => {
    expect(manifestOf({ name: 'n', version: '1.0.0' }, 'https://forge.example/pay')).toMatchObject({
      repository: { type: 'git', url: 'git+https://forge.example/pay.git', directory: 'packages/sdk' },
    });
    expect(manifestOf({ name: 'n', version: '1.0.0' })).not.toHaveProperty('repository');
  });

  // It was 10 kB. Keys as people paste them and Retry-After in each of its forms are 1.5 kB, and spare a partner a 401 that
  // does not say why and a pause that the service did not ask for.
  it('is smaller than 12 kB compressed: the main entry with all that it imports', async () => {
    const files = await Promise.all([...(await closureOf('main.mjs'))].map(text));
    expect(files.length).toBeGreaterThan(1);
    expect(gzipSync(files.join('')).length).toBeLessThan(12_000);
  });

  it('needs no Node in its web entry', async () => {
    const files = await Promise.all([...(await closureOf('web.mjs'))].map(text));
    expect(files.join('')).not.toMatch(/["'`]node:|\bBuffer\b|\bprocess\b|\brequire\b/);
    const types = await Promise.all([...(await closureOf('web.d.mts'))].map(text));
    expect(types.join('')).not.toMatch(/["'`]node:|\bBuffer\b/);
  });
});

describe('types', () => {
  const compile = async (
    sources: Readonly<Record<string, string>>,
    options: Record<string, unknown>,
    compiler: 'typescript' | 'typescript-7' = 'typescript-7',
  ): Promise<string> => {
    const files = Object.keys(sources);
    const at = join(shop, `types-${files.join('-').replaceAll('.', '-')}`);
    await mkdir(at);
    for (const [name, source] of Object.entries(sources)) await writeFile(join(at, name), source);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      typeRoots: [join(ROOT, 'node_modules/@types')],
      types: ['node'],
      ...options,
    };
    await writeFile(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = [join(ROOT, 'node_modules', compiler, 'bin/tsc'), '-p', at];
    return await run(process.execPath, tsc).then(
      ({ stdout }) => stdout,
      (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
    );
  };
  const node16 = { module: 'node16', moduleResolution: 'node16' };
  const bundler = { module: 'esnext', moduleResolution: 'bundler' };

  // One of them with TypeScript 6, which partners have, too; 7 is faster.
  it.each([
    ['node16, an ES module and CommonJS', { 'esm.mts': TYPED_CONSUMER, 'commonjs.cts': TYPED_CONSUMER }, node16, 'typescript'],
    ['bundler', { 'bundled.ts': TYPED_CONSUMER }, bundler, 'typescript-7'],
  ] as const)('compile strictly: %s', async (_name, sources, options, compiler) => {
    expect(await compile(sources, options, compiler)).toBe('');
  });

  it('of the web entry compile with the types of a browser alone', async () => {
    const browser = { ...bundler, types: [], lib: ['es2022', 'dom', 'dom.iterable'] };
    expect(await compile({ 'browser.ts': TYPED_WEB_CONSUMER }, browser)).toBe('');
  });

  it('refuse an amount that is a number', async () => {
    expect(await compile({ 'wrong.mts': WRONG_CONSUMER }, node16)).toMatch(/TS2322: Type 'number' is not assignable to type 'string'/);
  });
});

it('finds every runtime', () => {
  const missing = RUNTIMES.filter(({ command }) => command === undefined).map(
    ({ name }) => `${name} is not here and not tested: tools/sdk/fetch-runtimes.sh gets it`,
  );
  for (const line of missing) process.stderr.write(`${line}\n`);
  expect(process.env['CI'] === 'true' ? missing : []).toEqual([]);
  expect(HERE.length).toBeGreaterThan(0);
});

describe.each(HERE)('on $name', ({ command: [program, ...args] }) => {
  it.each(Object.entries(CONFORMANCE_FILES))('%s: signs, verifies and counts as the vectors say', async (name, source) => {
    await writeFile(join(shop, name), source);
    const { stdout } = await run(program, [...args, join(shop, name), ...VECTORS], { cwd: shop });
    expect(stdout).toBe('15 vectors\n');
  });
});

describe('with the whole system', () => {
  let world: World;
  let port = 0;
  beforeAll(async () => {
    port = (await freePorts(['receiver'])).receiver;
    world = await openWorld(runningSystem(), () => `http://127.0.0.1:${String(port)}/callbacks`);
  });
  afterAll(async () => {
    await world.close();
  });

  it.each(HERE)(
    "the README's examples on $name: to a verified callback, and to the same event of the stream",
    async ({ command: [program, ...args] }) => {
      await writeFile(join(shop, 'pay.mjs'), firstExample(await text('README.md'), 'js'));
      await writeFile(join(shop, 'stream.mjs'), exampleUnder(STREAM_HEADING, await text('README.md'), 'js'));
      const env = await exampleVariables(world, shop, port);
      const stream = await followTheExample(() => startExample(program, [...args, 'stream.mjs'], shop, env));
      const example = startExample(program, [...args, 'pay.mjs'], shop, env);
      try {
        const paid = await payTheExample(world, example, example);
        expect(paid).toMatchObject({ status: 'COMPLETED', amount: '10.5' });
        await stream.streamed(paid.id);
      } finally {
        await example.stop();
        await stream.stop();
      }
    },
  );
});
