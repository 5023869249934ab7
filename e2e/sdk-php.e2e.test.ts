import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { PHP } from '../tools/sdk/languages.ts';
import { exampleUnder, firstExample, startExample } from '../tools/sdk/readme-example.ts';
import { runningSystem } from '../tools/testing/running-system.ts';
import { exampleVariables, followTheExample, payTheExample, STREAM_HEADING } from './sdk-example.ts';
import { openWorld, type World } from './world.ts';

const run = promisify(execFile);
const SDK = join(ROOT, 'sdks/php');
const found = PHP.find();
const describeHere = found === undefined ? describe.skip : describe;

describeHere.each([found ?? 'none'])('the phar that partners put into an empty folder, with %s', (php) => {
  let shop = '';
  let phar = '';
  let world: World;
  let port = 0;
  beforeAll(async () => {
    shop = await mkdtemp(join(tmpdir(), 'php-sdk-'));
    phar = (await run(php, ['-d', 'phar.readonly=0', join(SDK, 'build.php'), shop])).stdout.trim();
    port = (await freePorts(['receiver'])).receiver;
    world = await openWorld(runningSystem(), () => `http://127.0.0.1:${String(port)}/callbacks`);
  });
  afterAll(async () => {
    await world.close();
    await rm(shop, { recursive: true });
  });

  it('holds the sources, the README and the licence: no test, no key', async () => {
    const list = 'foreach (new RecursiveIteratorIterator(new Phar($argv[1])) as $file) echo $file->getFileName(), "\\n";';
    const names = (await run(php, ['-r', list, phar])).stdout.trim().split('\n');
    const others = names.filter((name) => !/^[A-Z]\w+\.php$/.test(name));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'autoload.php']);
    expect(await readFile(join(SDK, 'README.md'), 'utf8')).toContain(`Put \`${basename(phar)}\` beside your program.`);
  });

  it("runs the README's examples to a verified callback, and to the same event of the stream", async () => {
    const readme = await readFile(join(SDK, 'README.md'), 'utf8');
    await writeFile(join(shop, 'pay.php'), firstExample(readme, 'php'));
    await writeFile(join(shop, 'stream.php'), exampleUnder(STREAM_HEADING, readme, 'php'));
    const env = await exampleVariables(world, shop, port);
    const stream = await followTheExample(() => startExample(php, ['stream.php'], shop, env));
    const receiver = startExample(php, ['-S', `127.0.0.1:${String(port)}`, 'pay.php'], shop, env);
    const example = startExample(php, ['pay.php'], shop, env);
    try {
      await receiver.printed(/Development Server .* started/);
      const paid = await payTheExample(world, example, receiver);
      expect(paid).toMatchObject({ status: 'COMPLETED', amount: '10.5' });
      await stream.streamed(paid.id);
    } finally {
      await example.stop();
      await receiver.stop();
      await stream.stop();
    }
  });
});
