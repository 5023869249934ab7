import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { missing, PYTHON } from '../tools/sdk/languages.ts';
import { exampleUnder, firstExample, startExample } from '../tools/sdk/readme-example.ts';
import { runningSystem } from '../tools/testing/running-system.ts';
import { exampleVariables, followTheExample, payTheExample, STREAM_HEADING } from './sdk-example.ts';
import { openWorld, type World } from './world.ts';

const run = promisify(execFile);
const SDK = join(ROOT, 'sdks/python');
const found = PYTHON.find();
const describeHere = found === undefined ? describe.skip : describe;

it('finds Python', () => {
  if (found === undefined) process.stderr.write(`${missing(PYTHON)}\n`);
  expect(process.env['CI'] === 'true' ? found : 'python').toBeDefined();
});

describeHere.each([found ?? 'none'])('the wheel that partners install, with %s', (python) => {
  let folder = '';
  let shop = '';
  let wheel = '';
  let world: World;
  let port = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'python-sdk-'));
    shop = join(folder, 'shop');
    await mkdir(shop);
    const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--no-cache-dir'];
    await run(python, ['-m', 'pip', 'wheel', ...offline, '--wheel-dir', folder, SDK]);
    wheel = join(folder, (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '');
    // What it depends on is there; the rest of the folder is empty.
    await run(python, ['-m', 'venv', '--without-pip', '--system-site-packages', join(shop, '.venv')]);
    const own = ['--python', join(shop, '.venv/bin/python')];
    await run(python, ['-m', 'pip', ...own, 'install', '--no-index', '--no-cache-dir', wheel], { cwd: shop });
    port = (await freePorts(['receiver'])).receiver;
    world = await openWorld(runningSystem(), () => `http://127.0.0.1:${String(port)}/callbacks`);
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true });
  });

  it('holds the package with its types, the README and the licence: no test, no key', async () => {
    const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
    const names = (await run(python, ['-c', list, wheel])).stdout.trim().split('\n');
    const others = names.filter((name) => !/^pay_sdk\/\w+\.py$/.test(name)).map((name) => name.replace(/^.*\//, ''));
    expect(others.filter((name) => name !== 'WHEEL' && name !== 'RECORD').sort()).toEqual(['LICENSE', 'METADATA', 'py.typed']);
    const read = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())';
    const metadata = names.find((name) => name.endsWith('METADATA')) ?? '';
    const { stdout } = await run(python, ['-c', read, wheel, metadata]);
    expect(stdout).toContain(await readFile(join(SDK, 'README.md'), 'utf8'));
    expect(await readFile(join(SDK, 'README.md'), 'utf8')).toContain(`pip install ./${wheel.replace(/^.*\//, '')}`);
  });

  it("runs the README's examples to a verified callback, and to the same event of the stream", async () => {
    const readme = await readFile(join(SDK, 'README.md'), 'utf8');
    await writeFile(join(shop, 'pay.py'), firstExample(readme, 'python'));
    await writeFile(join(shop, 'stream.py'), exampleUnder(STREAM_HEADING, readme, 'python'));
    const env = await exampleVariables(world, shop, port);
    const started = (program: string) => startExample(join(shop, '.venv/bin/python'), [program], shop, env);
    const stream = await followTheExample(() => started('stream.py'));
    const example = started('pay.py');
    try {
      const paid = await payTheExample(world, example, example);
      expect(paid).toMatchObject({ status: 'COMPLETED', amount: '10.5' });
      await stream.streamed(paid.id);
    } finally {
      await example.stop();
      await stream.stop();
    }
  });
});
