import { createApp } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Express } from 'express';
import { createDocsRoute } from './docs.ts';

/** The routes of the console, an origin of its own. */
export function createConsoleApp(log: Log): Express {
  return createApp({
    listener: 'console',
    log,
    requestIdFrom: 'edge',
    routes: (app) => {
      app.get('/docs', (_req, res) => {
        res.redirect(301, '/docs/');
      });
      app.get('/docs/{*path}', createDocsRoute());
    },
  });
}
