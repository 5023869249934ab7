import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeProfile } from '../../packages/cli/test/run-cli.ts';
import { generateKeys } from '../../packages/sdk/src/keys.ts';
import { startApiServer, type ApiServer } from '../../packages/sdk/test/api-server.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { findNodes } from '../sdk/runtimes.ts';

const PACKED_BYTES_MAX = 100_000;
const KEY = `k1:${'A'.repeat(43)}=`;
const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };

let folder = '';
let tarball = '';
let shop = '';
let server: ApiServer;
let profile: ReturnType<typeof writeProfile>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-cli-'));
  tarball = await built(join(folder, 'dist'));
  shop = join(folder, 'shop');
  await mkdir(shop);
  server = await startApiServer(partner);
  server.reply({ status: 200, body: { items: [], callbackUrl: null, returnUrl: null } });
  profile = writeProfile({ baseUrl: server.url, ...partner }, keys.privateKeyPem);
});
afterAll(async () => {
  profile.remove();
  await server.close();
  await rm(folder, { recursive: true });
});

/** `npm run build:cli` with these arguments, in a process of its own: the bundler leaves listeners behind. Returns what was built. */
async function built(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [join(ROOT, 'tools/cli/main.ts'), ...args])).stdout.trim();
}

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A folder with the package's file in it, and nothing else. */
async function emptyFolder(): Promise<string> {
  const empty = await mkdtemp(join(folder, 'empty-'));
  await copyFile(tarball, join(empty, basename(tarball)));
  return empty;
}

/** Runs a program in a folder, with one Node before all others on its path. */
async function run(node: string, file: string, args: readonly string[], cwd = shop): Promise<Ran> {
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  return ranWith({ PATH: path, HOME: shop, npm_config_offline: 'true' }, file, args, cwd);
}

function ranWith(env: Readonly<Record<string, string>>, file: string, args: readonly string[], cwd = shop) {
  return promisify(execFile)(file, [...args], { cwd, env }).then(
    ({ stdout, stderr }): Ran => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Ran,
  );
}

it(`is smaller than ${String(PACKED_BYTES_MAX)} bytes, and brings nothing else`, async () => {
  expect((await stat(tarball)).size).toBeLessThan(PACKED_BYTES_MAX);
  await run(process.execPath, 'npm', ['install', '--no-audit', '--no-fund', tarball]);
  expect((await readdir(join(shop, 'node_modules'))).sort()).toEqual(['.bin', '.package-lock.json', '@pay']);
  expect((await readdir(join(shop, 'node_modules/@pay/cli'), { recursive: true })).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'dist/pay.mjs',
    'package.json',
  ]);
});

describe.each([...findNodes()])('on Node %i', (_major, node) => {
  it('npx runs doctor from an empty folder, which signs a request', async () => {
    const before = server.requests.length;
    const doctor = ['--yes', `./${basename(tarball)}`, 'doctor', '--profile', profile.file];
    const { stdout, stderr } = await run(node, 'npx', doctor, await emptyFolder());
    expect(`${stdout}${stderr}`).toContain('accepted for partner-a');
    expect(server.requests.length).toBeGreaterThan(before);
  });

  it('has the partner’s commands, completes them, and knows no operator', async () => {
    const pay = (...args: readonly string[]) => run(node, node, [join(shop, 'node_modules/@pay/cli/dist/pay.mjs'), ...args]);
    expect((await pay('--version')).stdout).toBe('0.1.0\n');
    expect((await pay('completion', 'bash')).stdout).toContain('complete -o default -F _pay pay');
    expect((await pay('callbacks', 'listen', '--help')).stdout).toContain('--state <file>');
    expect(await pay('operator', 'overview', 'get', 'payments')).toMatchObject({ code: 2 });
  });
});

(process.platform === 'linux' ? describe : describe.skip)('as an executable', () => {
  let executable = '';
  beforeAll(async () => {
    executable = await built('--executable', join(folder, 'dist'));
  });
  const pay = (...args: readonly string[]) => ranWith({ PATH: '/nowhere' }, executable, args);

  it('runs without Node: its version, its keys, and the seven signed parts', async () => {
    expect(await pay('--version')).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
    expect((await pay('keys', 'inspect', join(profile.folder, 'partner.pem'))).stdout).toContain(keys.publicKey);
    const sign = ['sign', 'GET', '/api/events', '--nonce', 'n-1', '--explain', '--profile', profile.file];
    expect(await pay(...sign)).toMatchObject({ code: 0, stdout: expect.stringContaining('n-1') });
  });

  it('starts itself as the process that puts the old callbackUrl back', async () => {
    const before = { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/back' };
    server.reply({ status: 200, body: before });
    const receive = ['callbacks', 'receive', '--register', '--once', '--timeout', '0.1', '--key', KEY];
    expect(await pay(...receive, '--profile', profile.file)).toMatchObject({ code: 5 });
    // Somebody else's address is stored by now, as the server says: the process looks, and leaves it alone.
    const lastTwo = server.requests.slice(-2).map(({ method, target }) => `${method} ${target}`);
    expect(lastTwo).toEqual(['PUT /api/integration/endpoints', 'GET /api/integration/endpoints']);
  });
});
