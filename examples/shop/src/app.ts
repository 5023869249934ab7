import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { adminRoutes } from './admin-routes.ts';
import { requireAdmin } from './admin-password.ts';
import { buyerRoutes } from './buyer-routes.ts';
import { createReceiver } from './callbacks.ts';
import type { Shop } from './shop.ts';
import { recognizeVisitor, requireCsrfToken } from './visitor.ts';

/** Nothing from elsewhere, no inline script or style; forms go to this shop only. A QR code is a data: image. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** All that the shop serves. */
export function createApp(shop: Shop): Express {
  const app = express().disable('x-powered-by');
  // First of all: the signature covers the raw bytes, so no parser may come before.
  app.post('/callbacks', createReceiver(shop));
  app.get('/readyz', (_req, res) => {
    res.send('ok');
  });

  app.use((_req, res, next) => {
    res.set({
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    });
    next();
  });
  app.use(express.static(join(import.meta.dirname, '../public'), { maxAge: '1h' }));
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.use(recognizeVisitor(shop.config.shopUrl.startsWith('https:')));
  app.post('/{*any}', express.urlencoded({ limit: '10kb' }), requireCsrfToken);
  app.use('/admin', requireAdmin(shop.config.adminPassword), adminRoutes(shop));
  app.use(buyerRoutes(shop));

  // Four parameters make it the error handler. The reason is for the log, not for the visitor.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    shop.log(`a page failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    res.status(500).type('text').send('Something went wrong on our side. Nothing was charged twice.\n');
  });
  return app;
}
