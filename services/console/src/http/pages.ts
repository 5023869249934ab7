import { randomBytes } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import type { Bundle } from '../bundle/bundle.ts';

/** The console's pages. All are the same document, whose script reads the address. */
export const PAGES = [
  '/',
  '/sign-in',
  '/account',
  '/overview',
  '/withdrawals',
  '/withdrawals/:id',
  '/fundings',
  '/partners',
  '/partners/:id',
  '/deliveries',
  '/deliveries/:id',
  '/payments',
  '/payments/:id',
  '/held-back',
  '/exceptions',
  '/proposals',
  '/points/:id',
  '/routes',
  '/dead-letters',
  '/operators',
  '/audit',
];

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Adds the pages, their script and their styles. Everything they load comes from this origin. */
export function addPages(app: Express, { script, style }: Bundle): void {
  for (const { path, bytes, type } of [
    { ...script, type: 'text/javascript' },
    { ...style, type: 'text/css' },
  ]) {
    app.get(path, (_req, res) => {
      res.set({ 'Cache-Control': FOR_EVER, 'X-Content-Type-Options': 'nosniff' }).type(type).send(bytes);
    });
  }
  app.get(PAGES, (_req: Request, res: Response) => {
    // Components write their own style elements; the browser accepts those with this response's nonce.
    const nonce = randomBytes(16).toString('base64');
    res
      .set({
        'Content-Security-Policy': [
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data:",
          "connect-src 'self'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ].join('; '),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
      })
      .type('text/html')
      .send(document(script.path, style.path, nonce));
  });
}

function document(script: string, style: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="style-nonce" content="${nonce}">
<title>Payment console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}
