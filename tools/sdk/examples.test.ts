import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLE_LANGUAGES, sdkExamples } from '../../packages/contract/src/sdk-examples/sdk-examples.ts';
import { samples } from '../../packages/contract/src/sdk-examples/sample.ts';
import { openApiDocument } from '../../packages/contract/src/openapi.ts';
import { generateKeys } from '../../packages/sdk/src/keys.ts';
import { parseOpenSshKey, publicKeyOf } from '../../packages/signing/src/ed25519.ts';
import { requestIsSigned } from '../../packages/signing/src/request-signature.ts';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { GO_SDK, runGo } from './go.ts';
import { GO, JAVA, missing, PHP, SHORT_JAVAC } from './languages.ts';

/** The examples of the reference: that each call and member is one that the SDK has. */
const run = promisify(execFile);
const examples = sdkExamples();
let folder: string;

beforeAll(async () => {
  // Inside of the repository, so that the compiler finds the packages.
  folder = await mkdtemp(join(ROOT, 'node_modules/.cache/examples-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** All examples of a language as one program: its setup, and each example as `inFunction` wraps it. */
function programOf(id: string, inFunction: (name: string, code: string) => string): string {
  const { setup } = EXAMPLE_LANGUAGES.find((language) => language.id === id) ?? { setup: '' };
  const parts = [...examples].map(([name, all]) => inFunction(name, all.find((one) => one.id === id)?.code ?? ''));
  return [setup, ...parts].join('\n');
}

const indent = (code: string, by: string) => code.replaceAll(/^(?=.)/gm, by);

it('has an example of each operation in each language, and no two alike', () => {
  const Paths = z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        'x-test-only': z.boolean().optional(),
        responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).default({}) })),
      }),
    ),
  );
  const operations = Object.values(Paths.parse(openApiDocument()['paths'])).flatMap((methods) =>
    Object.values(methods)
      // No SDK has a call for what is for tools: the streams, and what exists in TEST only.
      .filter((one) => one['x-test-only'] !== true)
      .filter(({ responses }) => Object.values(responses).every(({ content }) => !('text/event-stream' in content)))
      .map(({ operationId }) => operationId),
  );
  expect([...examples.keys()].sort()).toEqual(operations.sort());
  for (const all of examples.values()) {
    expect(all.map(({ id }) => id)).toEqual(EXAMPLE_LANGUAGES.map(({ id }) => id));
    for (const { code } of all) expect(code).toMatch(/\S.*\n$/);
  }
  const codes = [...examples.values()].flatMap((all) => all.map(({ code }) => code));
  expect(new Set(codes).size).toBe(codes.length);
});

describe('each example', () => {
  it('in TypeScript compiles against the SDK', async () => {
    const text = programOf('typescript', (name, code) => `export async function ${name}() {\n${code}}\n`);
    await writeFile(join(folder, 'examples.ts'), text.replace("'@pay/sdk'", "'../../../packages/sdk/src/main.ts'"));
    const compilerOptions = { incremental: false, tsBuildInfoFile: null };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../../tsconfig.json', compilerOptions, include: ['examples.ts'], exclude: [] }),
    );
    const compiler = [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-p', folder];
    const { stdout } = await run(process.execPath, compiler).catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
    expect(stdout).toBe('');
  });

  it('in Python compiles, and calls what the client has', async () => {
    const functions = programOf('python', (name, code) => `def example_${name}():\n${indent(code, '    ')}`);
    await writeFile(join(folder, 'examples.py'), functions);
    await run('python3', ['-m', 'py_compile', join(folder, 'examples.py')]);
    const calls = [...functions.matchAll(/client\.(\w+)\(/g)].map(([, name = '']) => name);
    const client = await run('grep', ['-hoE', 'def [a-z_]+', join(ROOT, 'sdks/python/src/pay_sdk/calls.py')]);
    expect(calls.filter((name) => !client.stdout.includes(`def ${name}\n`))).toEqual([]);
    expect(calls).toHaveLength(examples.size);
  });

  it('in Go compiles against the SDK, and is formatted', async () => {
    const text = programOf('go', (name, code) => `func ${name}() {\n${indent(code, '\t')}}\n`);
    const go = GO.find();
    if (go === undefined) {
      process.stderr.write(`${missing(GO)}\n`);
      return;
    }
    await writeFile(join(folder, 'main.go'), `${text}\nfunc main() {}\n`);
    await writeFile(
      join(folder, 'go.mod'),
      `module examples\n\ngo 1.19\n\nrequire pay.example/pay v0.1.0\n\nreplace pay.example/pay => ${GO_SDK}\n`,
    );
    expect(await runGo(go, ['vet', '.'], folder)).toBe('');
    expect(await runGo(go.replace(/go$/, 'gofmt'), ['-l', '.'], folder)).toBe('');
  });

  it('in PHP has no fault of syntax, and calls what the client has', async () => {
    const text = programOf('php', (_name, code) => code);
    const calls = [...text.matchAll(/\$client->(\w+)\(/g)].map(([, name = '']) => name).filter((name) => name !== 'everyItem');
    const client = await run('grep', ['-hoE', 'function [A-Za-z]+', join(ROOT, 'sdks/php/src/Calls.php')]);
    expect(calls.filter((name) => !client.stdout.includes(`function ${name}\n`))).toEqual([]);
    expect(calls).toHaveLength(examples.size);
    const php = PHP.find();
    if (php === undefined) {
      process.stderr.write(`${missing(PHP)}\n`);
      return;
    }
    await writeFile(join(folder, 'examples.php'), text);
    const { stdout } = await run(php, ['-l', join(folder, 'examples.php')]);
    expect(stdout).toMatch(/^No syntax errors/);
  });

  it('in Java compiles against the SDK', async () => {
    if (JAVA.find() === undefined) {
      process.stderr.write(`${missing(JAVA)}\n`);
      return;
    }
    const setup = EXAMPLE_LANGUAGES.find(({ id }) => id === 'java')?.setup ?? '';
    const blocks = [...examples.values()].map((all) => `{\n${all.find(({ id }) => id === 'java')?.code ?? ''}}\n`);
    expect(setup).toContain('// An example goes here.\n');
    await writeFile(join(folder, 'Example.java'), setup.replace('// An example goes here.\n', blocks.join('')));
    // Without its module, which would have to be named.
    const sdk = join(ROOT, 'sdks/java/src/pay/sdk');
    const sources = [join(folder, 'Example.java'), ...(await readdir(sdk)).map((name) => join(sdk, name))];
    const { stderr } = await run('javac', [...SHORT_JAVAC, '--release', '17', '-proc:none', '-d', join(folder, 'java'), ...sources]).catch(
      (error: unknown) => z.object({ stderr: z.string() }).parse(error),
    );
    expect(stderr).toBe('');
  });

  it('with curl carries a signature that the service accepts, over what it sends', async () => {
    const { publicKey, privateKeyPem } = generateKeys();
    await writeFile(join(folder, 'public.txt'), publicKey);
    await writeFile(join(folder, 'private.pem'), privateKeyPem);
    // Prints what curl would be given, each argument followed by a byte that none contains.
    const recorder = "curl() { printf '%s\\x1f' \"$@\"; printf '\\n\\x1e'; }\n";
    const script = programOf('bash', (_name, code) => code);
    const { stdout } = await run('bash', ['-euc', recorder + script], { cwd: folder });
    const key = publicKeyOf(parseOpenSshKey(publicKey) ?? Buffer.alloc(0));
    const requests = stdout
      .split('\n\x1e')
      .slice(0, -1)
      .map((one) => one.split('\x1f'));
    const all = samples();
    expect(requests).toHaveLength(all.length);
    for (const [index, { call, target, sentBody }] of all.entries()) {
      const given = requests[index] ?? [];
      const header = (name: string) => given.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2);
      const Authorization = z.strictObject({
        partnerID: z.literal('demo-partner'),
        key: z.literal(publicKey),
        sign: z.string(),
        timestamp: z.string(),
        nonce: z.string(),
      });
      const { sign, timestamp, nonce } = Authorization.parse(JSON.parse(header('Authorization') ?? ''));
      const body = given.includes('--data-binary') ? given[given.indexOf('--data-binary') + 1] : undefined;
      expect(given).toContain(`https://api.example${target}`);
      expect(given.includes('-X') ? given[given.indexOf('-X') + 1] : 'GET').toBe(call.method);
      expect(body === undefined ? undefined : JSON.parse(body)).toEqual(sentBody);
      const idempotencyKey = header('Idempotency-Key') ?? '';
      expect(idempotencyKey !== '').toBe(call.takesKey);
      const parts = { timestamp, nonce, method: call.method, target, idempotencyKey, body: Buffer.from(body ?? '') };
      expect({ name: call.name, isSigned: requestIsSigned(key, parts, Buffer.from(sign, 'base64')) }).toEqual({
        name: call.name,
        isSigned: true,
      });
    }
  });
});
