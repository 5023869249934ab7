import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { GO_SDK, runGo } from '../tools/sdk/go.ts';
import { GO } from '../tools/sdk/languages.ts';
import { firstExample, startExample } from '../tools/sdk/readme-example.ts';
import { runningSystem } from '../tools/testing/running-system.ts';
import { exampleVariables, payTheExample } from './sdk-example.ts';
import { openWorld, type World } from './world.ts';

const run = promisify(execFile);
const found = GO.find();
const describeHere = found === undefined ? describe.skip : describe;

describeHere.each([found ?? 'none'])('the module that partners unpack in their own, with %s', (go) => {
  let shop = '';
  let archive = '';
  let world: World;
  let port = 0;
  beforeAll(async () => {
    shop = await mkdtemp(join(tmpdir(), 'go-sdk-'));
    archive = (await runGo(go, ['run', 'build.go', shop])).trim();
    port = (await freePorts(['receiver'])).receiver;
    world = await openWorld(runningSystem(), () => `http://127.0.0.1:${String(port)}/callbacks`);
  });
  afterAll(async () => {
    await world.close();
    await rm(shop, { recursive: true });
  });

  it('holds the sources, the README and the licence: no test, no key', async () => {
    const names = (await run('tar', ['-tzf', archive])).stdout
      .trim()
      .split('\n')
      .map((name) => basename(name));
    const others = names.filter((name) => !/^(?!build\.go$)\w+(?<!_test)\.go$/.test(name));
    expect(others).toEqual(['LICENSE', 'README.md', 'go.mod']);
    expect(names).toContain('client.go');
  });

  it("runs the README's first example to a verified callback", async () => {
    const readme = await readFile(join(GO_SDK, 'README.md'), 'utf8');
    await writeFile(join(shop, 'main.go'), firstExample(readme, 'go'));
    const path = { PATH: `${dirname(go)}:${process.env['PATH'] ?? ''}` };
    const install = `go mod init shop\n${firstExample(readme, 'sh')}go build -o pay .`;
    expect(await runGo('sh', ['-ec', install], shop, path)).not.toMatch(/error|fail|cannot/i);
    const example = startExample(join(shop, 'pay'), [], shop, await exampleVariables(world, shop, port));
    try {
      const paid = await payTheExample(world, example, example);
      expect(paid).toMatchObject({ status: 'COMPLETED', amount: '10.5' });
    } finally {
      await example.stop();
    }
  });
});
