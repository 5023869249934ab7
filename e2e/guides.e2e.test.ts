import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAlike, withValues, type Values } from '../tools/guides/alike.ts';
import { blocksOf, type Block } from '../tools/guides/page.ts';
import { openTerminal } from '../tools/guides/terminal.ts';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { installSdk, type InstalledSdk } from '../tools/sdk/installed.ts';
import { openWorld, until, type World } from './world.ts';

const FOLDER = join(ROOT, 'docs/partners/guides');
const RUN = readdirSync(FOLDER)
  .map((name) => ({ name, blocks: blocksOf(readFileSync(join(FOLDER, name), 'utf8')) }))
  .filter(({ blocks }) => blocks.some(({ kind }) => kind === 'console'));

type Terminal = ReturnType<typeof openTerminal>;

describe('the guides, typed into a terminal in an empty folder', () => {
  let world: World;
  let made = '';
  let sdk: InstalledSdk;
  let port = 0;
  beforeAll(async () => {
    world = await openWorld();
    made = mkdtempSync(join(tmpdir(), 'guides-'));
    sdk = await installSdk();
    const pay = join(made, 'bin/pay');
    mkdirSync(dirname(pay));
    writeFileSync(pay, `#!/bin/sh\nexec node '${join(ROOT, 'packages/cli/src/main.ts')}' "$@"\n`);
    chmodSync(pay, 0o700);
    port = (await freePorts(['receiver'])).receiver;
  });
  afterAll(async () => {
    await world.bank.resetClock();
    await world.close();
    rmSync(made, { recursive: true });
    await sdk.remove();
  });

  it.each(RUN)('$name: prints what it shows', async ({ blocks }) => {
    const folder = join(made, randomUUID());
    mkdirSync(folder);
    copyFileSync(sdk.tarball, join(folder, basename(sdk.tarball)));
    const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env;
    const terminal = openTerminal(folder, {
      PATH: [join(made, 'bin'), dirname(process.execPath), PATH].join(delimiter),
      HOME: made,
      NODE_COMPILE_CACHE,
      PAY_PROFILE: join(world.system.folder, 'demo.json'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    });
    const values: Values = new Map([
      ['127.0.0.1:3000', `127.0.0.1:${String(port)}`],
      ['listen(3000)', `listen(${String(port)})`],
    ]);
    try {
      for (const block of blocks) await expect(follow(terminal, folder, block, values)).resolves.toBeUndefined();
    } finally {
      await terminal.close();
    }
  });
});

/** Does what a reader does with a block. */
async function follow(terminal: Terminal, folder: string, block: Block, values: Values): Promise<void> {
  if (block.kind === 'file') writeFileSync(join(folder, block.name), withValues(block.content, values));
  if (block.kind !== 'console') return;
  for (const { typed, shown } of block.commands) {
    const type = () => terminal.type(withValues(typed, values));
    if (block.isRepeated) {
      await until(`${typed} to print ${shown}`, async () => (isAlike(shown, await type(), values) ? true : undefined));
    } else {
      const printed = await type();
      if (!isAlike(shown, printed, values)) throw new Error(`${typed} is to print\n${shown}\n\nand printed\n${printed}`);
    }
  }
}
