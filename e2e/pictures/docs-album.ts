import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSite } from '../../services/console/src/docs/site.ts';
import type { Album } from './album.ts';
import { SAMPLE_DOCS, SAMPLE_OPERATORS } from './sample-docs.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** A page of each kind. Their texts are made up: the real ones change every day, and how pages look does not. */
export const DOCS: Album = {
  name: 'docs',
  languages: ['en'],
  async open() {
    const site = await siteOf(SAMPLE_DOCS);
    const server = createServer(({ url = '/' }, response) => {
      const path = new URL(url, 'http://docs').pathname.slice(1);
      const file = site.get(path);
      response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' });
      response.end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${String(port)}`,
      shown: () =>
        Promise.resolve([
          { name: 'home', path: '/index.html' },
          { name: 'guide', path: '/partners/guides/refunds.html' },
          { name: 'index', path: '/decisions/README.html' },
          { name: 'decision', path: '/decisions/0001-amounts-are-text.html' },
          { name: 'words', path: '/glossary.html' },
          { name: 'reference', path: '/reference.html' },
          { name: 'reference-operation', path: '/reference.html#createCardPayment' },
          { name: 'reference-callback', path: '/reference.html#payment-completed' },
          {
            name: 'search',
            path: '/partners/guides/refunds.html',
            act: async (page) => {
              await page.locator('#search').fill('refund');
              await page.locator('#found a').first().waitFor();
            },
          },
          {
            name: 'search-nothing',
            path: '/partners/guides/refunds.html',
            act: async (page) => {
              await page.locator('#search').fill('zzzz');
              await page.locator('#found').waitFor();
            },
          },
        ]),
      hasScrolledParts: true,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

async function siteOf(texts: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'));
  try {
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await buildSite(pathToFileURL(`${folder}/`), SAMPLE_OPERATORS);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
