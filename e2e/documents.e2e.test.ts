import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runHere } from '../packages/cli/test/run-cli.ts';
import { openWorld, type World } from './world.ts';

const page = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
/** The code blocks of a page. */
const blocksOf = (path: string, language: string): string[] =>
  [...page(path).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);
function found(code: string, what: RegExp): string {
  const [, text] = what.exec(code) ?? [];
  if (text === undefined) throw new Error(`nothing like ${what.source} in the page`);
  return text;
}

let world: World;
let folder: string;
/** Runs JavaScript as a program in the folder, and returns what it prints. */
function run(code: readonly string[]): string {
  writeFileSync(join(folder, 'example.mjs'), code.join(''));
  return execFileSync(process.execPath, ['example.mjs'], { cwd: folder }).toString();
}

beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
});
afterAll(async () => {
  await world.bank.resetClock();
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

describe('19: the examples of the documents run against the demo as they stand', () => {
  it('docs/partners/sdk.md: the first example, but for the address and the key', () => {
    const code = blocksOf('docs/partners/sdk.md', 'ts').find((block) => block.includes('createCardPayment')) ?? '';
    expect(found(code, /partnerID: '([^']+)'/)).toBe(world.partner.partnerID);
    writeFileSync(join(folder, 'partner.pem'), world.partner.privateKeyPem, { mode: 0o600 });
    const here = code
      .replace("'@pay/sdk'", JSON.stringify(new URL('../packages/sdk/src/main.ts', import.meta.url).href))
      .replace('https://api.example', world.system.addresses.baseUrl)
      .replace('ssh-ed25519 AAAA…', world.partner.publicKey);
    const end = 'console.log(JSON.stringify(payment));\nclient.close();';
    const created: unknown = JSON.parse(run([`const savedWithTheOrder = '${randomUUID()}';\n`, here, end]));
    expect(created).toMatchObject({ orderID: 'A-1', amount: '10.5', status: 'SUBMITTED' });
  });

  it.each([
    ['README.md', 5],
    ['docs/partners/cli.md', 8],
  ])('%s: what is typed at the command line, line by line', async (path, atLeast) => {
    const lines = blocksOf(path, 'sh')
      .join('')
      .split('\n')
      .flatMap((line) => /^npm run pay -- (.*?)(?: {2,}#.*)?$/.exec(line)?.[1] ?? []);
    const profile = join(world.system.folder, 'demo.json');
    let id = '';
    // These wait for callbacks, check the whole system, or take files of the reader: they have their own tests.
    const own = lines.filter((one) => !/^(?:callbacks listen|doctor|diagnose)/.test(one));
    expect(own.length).toBeGreaterThanOrEqual(atLeast);
    for (const line of own) {
      const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      // The id that the line before printed.
      const given = args.map((arg) => arg.replace(/<(?:id|bindingId)>/, id));
      const { exitCode, stdout, stderr } = await runHere(['--profile', profile, ...given]);
      expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
      id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout)?.[0] ?? id;
    }
  });
});
