import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** A file that pages load from our own origin. Its name changes with its content, so it may be cached forever. */
type Asset = {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Subresource Integrity: browsers run only these bytes. */
  readonly integrity: string;
};

/** Comments on lines of their own: they are for us, and a buyer need not load them. */
const COMMENTS = /^[ \t]*(?:\/\*(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm;

function readAsset(name: string, extension: string, type: string): Asset {
  const source = readFileSync(new URL(`./assets/${name}.${extension}`, import.meta.url), 'utf8');
  const bytes = Buffer.from(source.replace(COMMENTS, ''));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  return { path: `/assets/${name}.${hash}.${extension}`, type, bytes, integrity };
}

/** All files that pages load, read once at start. */
export const ASSETS = {
  style: readAsset('checkout', 'css', 'text/css; charset=utf-8'),
  script: readAsset('checkout', 'js', 'text/javascript; charset=utf-8'),
  /** Of the card page only. */
  cardScript: readAsset('card', 'js', 'text/javascript; charset=utf-8'),
  icon: readAsset('icon', 'svg', 'image/svg+xml'),
} as const satisfies Record<string, Asset>;

/** GET of an asset by its current name. An old name is 404: pages are never cached, so none refers to it. */
export const serveAsset: RequestHandler = (req, res, next) => {
  const asset = Object.values(ASSETS).find(({ path }) => path === req.path);
  if (asset === undefined) {
    next();
    return;
  }
  res.set('Cache-Control', 'public, max-age=31536000, immutable').type(asset.type).send(asset.bytes);
};
