import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../examples/shop/src/database.ts';
import { kopecksOf, rubles } from '../../examples/shop/src/money.ts';
import { html } from '../../examples/shop/src/pages/html.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { SHOP_SOURCES } from './prepare.ts';

const read = (path: string) => readFileSync(join(SHOP_SOURCES, path), 'utf8');

it('imports nothing from this repository, and no package but the SDK and express', () => {
  const files = globSync('{src,public}/**/*.{ts,js}', { cwd: SHOP_SOURCES });
  const imported = files.flatMap((path) =>
    [...read(path).matchAll(/(?:from|import|import\(|require\()\s*'([^']+)'/g)].map(([, name = '']) => ({
      path,
      name,
    })),
  );
  const isOwn = ({ path, name }: { path: string; name: string }) =>
    name.startsWith('./') || (name.startsWith('../') && path.startsWith('src/pages/') && !name.startsWith('../../'));
  const foreign = imported.filter((one) => !isOwn(one)).map(({ name }) => name.replace(/^node:.*/, 'node:'));
  expect(imported.length).toBeGreaterThan(50);
  expect([...new Set(foreign)].sort()).toEqual(['@pay/sdk', 'express', 'node:']);
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  expect(dependencies).toEqual({ '@pay/sdk': 'file:./pay-sdk-0.1.0.tgz', express: '5.3.0' });
  expect(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')).not.toContain('examples');
});

it.each([
  [1, '0.01'],
  [5, '0.05'],
  [1050, '10.50'],
  [36_050, '360.50'],
  [99_999_999, '999999.99'],
])('%i kopecks are %s rubles, both ways', (kopecks, text) => {
  expect(rubles(kopecks)).toBe(text);
  expect(kopecksOf(text)).toBe(kopecks);
});

it.each([
  ['10', 1000],
  [' 10,5 ', 1050],
  ['0', undefined],
  ['0.00', undefined],
  ['10.505', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['', undefined],
])('what the staff types: %j is %p kopecks', (text, kopecks) => {
  expect(kopecksOf(text)).toBe(kopecks);
});

it('escapes every value of a page that is not markup itself', () => {
  const title = `<script>alert("1")</script>&'`;
  expect(html`<p title="${title}">${html`<b>${title}</b>`}${[html`<i>1</i>`, html`<i>2</i>`]}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"><b>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</b><i>1</i><i>2</i></p>',
  );
});

it('waits for another process that has the file for a moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-file-'));
  const file = join(folder, 'shop.db');
  const db = openDatabase(file);
  const program = `
    const { openDatabase } = await import(${JSON.stringify(pathToFileURL(join(SHOP_SOURCES, 'src/database.ts')).href)});
    const db = openDatabase(${JSON.stringify(file)});
    console.log('ready');
    await db.transaction((tx) => tx.run("insert into subscriptions (customer, binding_id, status) values ('b', 'b', 'ACTIVE')"));`;
  const child = await db.transaction(async () => {
    const started = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    await once(started.stdout, 'data');
    return started;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(db.all('select customer from subscriptions')).toHaveLength(1);
  db.close();
  rmSync(folder, { recursive: true });
});

it('lets no transaction into another one that waits, and keeps nothing of one that fails', async () => {
  const db = openDatabase(':memory:');
  const insert = (customer: string) =>
    [`insert into subscriptions (customer, binding_id, status) values (?, ?, 'ACTIVE')`, customer, customer] as const;
  const { promise: waits, resolve: release } = Promise.withResolvers<undefined>();
  const first = db.transaction(async (tx) => {
    tx.run(...insert('a'));
    await waits;
    throw new Error('the order could not be changed');
  });
  const second = db.transaction((tx) => tx.run(...insert('b')));
  release(undefined);
  await expect(first).rejects.toThrow('the order could not be changed');
  expect(await second).toBe(1);
  expect(db.all('select customer from subscriptions').map((row) => ({ ...(row as object) }))).toEqual([{ customer: 'b' }]);
  db.close();
});
