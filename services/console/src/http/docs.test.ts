import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApp } from '@pay/shared/http/app.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { siteIn } from '../docs/cached-site.ts';
import { createDocsRoute } from './docs.ts';

const dist = mkdtempSync(join(tmpdir(), 'docs-'));
/** The folder of the current sources, and how often somebody looked for it. */
let current = '';
let obtained = 0;
let console: Listener;

function make(name: string, files: Readonly<Record<string, string>>): void {
  current = join(dist, name);
  mkdirSync(current);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(current, path)), { recursive: true });
    writeFileSync(join(current, path), text);
    writeFileSync(join(current, `${path}.gz`), text);
  }
}

beforeAll(async () => {
  const route = createDocsRoute(() => {
    obtained += 1;
    return Promise.resolve(siteIn(current));
  });
  const app = createApp({
    listener: 'console',
    log: createLog('console', 'silent'),
    requestIdFrom: 'edge',
    routes: (routes) => routes.get('/docs/{*path}', route),
  });
  console = await listen(app, '127.0.0.1', 0);
});
afterAll(async () => {
  await console.drain(0);
  rmSync(dist, { recursive: true });
});

const get = async (path: string) => {
  const headers = { 'accept-encoding': 'identity' };
  const response = await fetch(`http://127.0.0.1:${String(console.port)}/docs/${path}`, { headers });
  return [response.status, response.status === 200 ? await response.text() : ''];
};

it('a newer documentation that replaced the one being served is served from then on', async () => {
  make('docs-1', { 'index.html': 'old', 'gone.html': 'old' });
  expect(await get('')).toEqual([200, 'old']);
  expect(await get('absent.html')).toEqual([404, '']);
  expect(obtained).toBe(1);
  const old = current;
  make('docs-2', { 'index.html': 'new', 'added.html': 'new' });
  rmSync(old, { recursive: true });
  expect(await Promise.all([get(''), get('gone.html')])).toEqual([
    [200, 'new'],
    [404, ''],
  ]);
  expect(await get('added.html')).toEqual([200, 'new']);
  expect(obtained).toBe(2);
});

it('an address of before leads to the page: by the name of its source, and without the folder of its readers', async () => {
  make('docs-3', {
    'index.html': 'new',
    'partners/cli.html': 'commands',
    'operate/metrics.html': 'metrics',
    'operate/deploy/README.html': 'steps',
  });
  rmSync(join(dist, 'docs-2'), { recursive: true, force: true });
  expect(await get('')).toEqual([200, 'new']);
  expect(await Promise.all(['cli.html', 'cli.md', 'operations/metrics.html', 'deploy/README.md'].map(get))).toEqual(
    ['commands', 'commands', 'metrics', 'steps'].map((text) => [200, text]),
  );
  expect(await get('partners/absent.html')).toEqual([404, '']);
});
