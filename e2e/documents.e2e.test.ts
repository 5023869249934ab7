import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewCardPayment } from '../packages/sdk/src/types.ts';
import { runCli } from '../packages/cli/test/run-cli.ts';
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
beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
  writeFileSync(join(folder, 'private.pem'), world.partner.privateKeyPem, { mode: 0o600 });
  writeFileSync(join(folder, 'public.txt'), `${world.partner.publicKey}\n`);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

describe('19: the literal bodies of the documents run against the demo as they stand', () => {
  it('docs/signing.md: a whole call in a shell, but for the address', () => {
    const script = blocksOf('docs/signing.md', 'sh').find((code) => code.includes('curl -sS')) ?? '';
    const here = script.replace('https://api.example', world.system.addresses.baseUrl);
    expect(here).not.toBe(script);
    const answer = JSON.parse(execFileSync('bash', ['-euc', here], { cwd: folder }).toString()) as unknown;
    expect(answer).toMatchObject({ orderID: 'A-2', amount: 10.5, status: 'SUBMITTED' });
  });

  it('docs/signing.md: the body of the Node example', async () => {
    const code = blocksOf('docs/signing.md', 'js').join('');
    const body = String(runInNewContext(found(code, /const body = (JSON\.stringify\(.*?\));\n/s)));
    const answer = await world.client.request({ method: 'POST', target: '/api/card', body: Buffer.from(body) });
    expect([answer.status, answer.json]).toEqual([
      201,
      expect.objectContaining({ orderID: 'A-3', status: 'SUBMITTED' }),
    ]);
  });

  it('docs/sdk.md: the partner and the payment of the first example', async () => {
    const code = blocksOf('docs/sdk.md', 'ts').join('');
    expect(found(code, /partnerID: '([^']+)'/)).toBe(world.partner.partnerID);
    const payment = runInNewContext(`(${found(code, /createCardPayment\(\n\s+(\{.*?\n\s+\}),\n/s)})`) as NewCardPayment;
    const created = await world.client.createCardPayment(payment, { idempotencyKey: randomUUID() });
    expect(created).toMatchObject({ orderID: 'A-1', amount: '10.5', status: 'SUBMITTED' });
  });

  it('README.md: the first signed call, line by line', async () => {
    const lines = blocksOf('README.md', 'sh')
      .join('')
      .split('\n')
      .flatMap((line) => /^npm run pay -- (.*?)(?: {2,}#.*)?$/.exec(line)?.[1] ?? []);
    expect(lines.length).toBeGreaterThan(5);
    const profile = join(world.system.folder, 'demo.json');
    let id = '';
    // The last ones wait for callbacks or check the whole system: they have their own tests.
    for (const line of lines.filter((one) => !/^(?:callbacks listen|doctor)/.test(one))) {
      const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      const given = args.map((arg) => (arg === '<id>' ? id : arg));
      const { exitCode, stdout, stderr } = await runCli(['--profile', profile, ...given]);
      expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
      id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout)?.[0] ?? id;
    }
  });
});
