import { readFileSync } from 'node:fs';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Request, RequestHandler, Response } from 'express';
import { indexPage, readDocs } from '../docs/guides.ts';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/** `GET /docs/` and everything below: the guides and the OpenAPI documents, for everybody who can reach the console. */
export function createDocsRoute(): RequestHandler {
  const docs = readDocs();
  const files = new Map(docs)
    .set('', { type: 'text/html', bytes: Buffer.from(indexPage(docs)), title: undefined })
    .set('style.css', {
      type: 'text/css',
      bytes: readFileSync(new URL('../docs/style.css', import.meta.url)),
      title: undefined,
    });
  return (req: Request, res: Response) => {
    const file = files.get(req.path.slice('/docs/'.length));
    if (file === undefined) throw new ApiError('NOT_FOUND');
    res.set(HEADERS).type(file.type).send(file.bytes);
  };
}
