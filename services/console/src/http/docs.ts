import { extname } from 'node:path';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { RequestHandler } from 'express';
import { obtainSite, type Site } from '../docs/cached-site.ts';
import { PAGE_POLICY } from '../docs/page.ts';

const HEADERS = {
  'Content-Security-Policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
} as const;

/**
 * `GET /docs/` and everything below: the guides, the references and the OpenAPI documents, for everybody who can reach the
 * console. Made when the first of them asks, unless the image brings it. In a checkout whose sources have changed, somebody else may make a
 * newer one and remove this one: then that is served.
 */
export function createDocsRoute(obtain: () => Promise<Site> = obtainSite): RequestHandler {
  let site: Promise<Site> | undefined;
  /** Undefined if the site that was asked is gone: the next call asks the newer one. */
  async function find(
    path: string,
    page: string,
    encoding: 'identity' | 'gzip',
  ): Promise<Buffer | { readonly movedTo: string } | undefined> {
    const asked = (site ??= obtain());
    const forget = () => {
      if (site === asked) site = undefined;
    };
    const { has, read } = await asked.catch((error: unknown) => {
      forget();
      throw error;
    });
    const home = [page, `partners/${page}`, `operate/${page.replace(/^operations\//, '')}`].find(has);
    if (home === undefined) throw new ApiError('NOT_FOUND');
    if (home !== path) return { movedTo: home };
    const bytes = await read(path, encoding);
    if (bytes === undefined) forget();
    return bytes;
  }
  return async (req, res) => {
    const path = req.path === '/docs/' ? 'index.html' : req.path.slice('/docs/'.length);
    const page = path.replace(/\.md$/, '.html');
    const encoding = req.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
    const found = (await find(path, page, encoding)) ?? (await find(path, page, encoding));
    if (found === undefined) throw new Error('the documentation was removed twice while it was read');
    if ('movedTo' in found) {
      // Pages were served under the names of their sources, and before they had folders by reader.
      res.redirect(301, `/docs/${found.movedTo}`);
      return;
    }
    const isAsset = path.startsWith('assets/');
    res.set(HEADERS).type(extname(path));
    if (isAsset) res.set('Cache-Control', 'public, max-age=31536000, immutable');
    if (encoding === 'gzip') res.set('Content-Encoding', 'gzip');
    res.send(found);
  };
}
