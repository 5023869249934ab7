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
 * console. Made when the first of them asks, unless the image brings it.
 */
export function createDocsRoute(): RequestHandler {
  let site: Promise<Site> | undefined;
  const obtain = async () => {
    site ??= obtainSite();
    return await site.catch((error: unknown) => {
      site = undefined;
      throw error;
    });
  };
  return async (req, res) => {
    const path = req.path === '/docs/' ? 'index.html' : req.path.slice('/docs/'.length);
    const { has, read } = await obtain();
    const page = path.replace(/\.md$/, '.html');
    if (!has(page)) throw new ApiError('NOT_FOUND');
    if (page !== path) {
      // The guides were served under the names of their sources.
      res.redirect(301, `/docs/${page}`);
      return;
    }
    const isAsset = path.startsWith('assets/');
    res.set(HEADERS).type(extname(path));
    if (isAsset) res.set('Cache-Control', 'public, max-age=31536000, immutable');
    const encoding = req.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
    if (encoding === 'gzip') res.set('Content-Encoding', 'gzip');
    res.send(await read(path, encoding));
  };
}
