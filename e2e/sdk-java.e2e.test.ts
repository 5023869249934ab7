import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { JAVA, SHORT_JVM } from '../tools/sdk/languages.ts';
import { exampleUnder, firstExample, startExample } from '../tools/sdk/readme-example.ts';
import { runningSystem } from '../tools/testing/running-system.ts';
import { exampleVariables, followTheExample, payTheExample, STREAM_HEADING } from './sdk-example.ts';
import { openWorld, type World } from './world.ts';

const run = promisify(execFile);
const SDK = join(ROOT, 'sdks/java');
const found = JAVA.find();
const describeHere = found === undefined ? describe.skip : describe;

describeHere.each([found ?? 'none'])('the jar that partners put into an empty folder, with %s', (java) => {
  let folder = '';
  let shop = '';
  let jar = '';
  let world: World;
  let port = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'java-sdk-'));
    const built = (await run(java, [...SHORT_JVM, join(SDK, 'Build.java'), folder], { cwd: ROOT })).stdout.trim();
    shop = join(folder, 'shop');
    await mkdir(shop);
    jar = join(shop, basename(built));
    await rename(built, jar);
    port = (await freePorts(['receiver'])).receiver;
    world = await openWorld(runningSystem(), () => `http://127.0.0.1:${String(port)}/callbacks`);
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true });
  });

  it('holds the classes, the README, the licence and the pom: no test, no key; the sources and the pom are beside it', async () => {
    const names = (await run('jar', ['--list', '--file', jar])).stdout.trim().split('\n');
    const others = names.filter((name) => !name.endsWith('/') && !/^pay\/sdk\/[A-Z][\w$]+\.class$/.test(name));
    expect(others.sort()).toEqual([
      'META-INF/LICENSE',
      'META-INF/MANIFEST.MF',
      'META-INF/README.md',
      'META-INF/maven/pay.sdk/pay-sdk/pom.properties',
      'META-INF/maven/pay.sdk/pay-sdk/pom.xml',
      'module-info.class',
    ]);
    const beside = basename(jar, '.jar');
    expect((await readdir(folder)).sort()).toEqual([`${beside}-sources.jar`, `${beside}.pom`, 'shop']);
    expect(await readFile(join(SDK, 'README.md'), 'utf8')).toContain(`Put \`${basename(jar)}\` beside your program.`);
  });

  it("runs the README's examples to a verified callback, and to the same event of the stream", async () => {
    const readme = await readFile(join(SDK, 'README.md'), 'utf8');
    await writeFile(join(shop, 'First.java'), firstExample(readme, 'java'));
    await writeFile(join(shop, 'Follow.java'), exampleUnder(STREAM_HEADING, readme, 'java'));
    const env = await exampleVariables(world, shop, port);
    const started = (program: string) => startExample(java, [...SHORT_JVM, '-cp', jar, program], shop, env);
    const stream = await followTheExample(() => started('Follow.java'));
    const example = started('First.java');
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
