import { createLog } from '@pay/shared/logging/logger.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { listen } from '@pay/shared/http/server.ts';
import type { RequestHandler } from 'express';
import { obtainBundle } from '../src/bundle/bundle.ts';
import { addNotFoundPage, addPages, CONSOLE_PAGES } from '../src/http/pages.ts';
import { OPERATED_SERVICES } from '../src/operator-apis/operator-api.ts';
import { OWN_ANSWERS, sampleAnswer } from './sample-answers.ts';

/** The console's pages over answers that never change, without a database: for pictures, and for what all pages have in common. */
export type SamplePages = {
  readonly origin: string;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const SESSION = CONSOLE_PAGES.sessionCookie;

export async function startSamplePages(): Promise<SamplePages> {
  const bundle = await obtainBundle('console');
  const app = createApp({
    listener: 'console',
    log: createLog('console', 'silent'),
    requestIdFrom: 'edge',
    routes: (routes) => {
      addPages(routes, bundle, CONSOLE_PAGES);
      routes.get('/api/{*path}', answerRoute);
      addNotFoundPage(routes, bundle, CONSOLE_PAGES);
    },
  });
  const listener = await listen(app, HOST, 0);
  return { origin: `http://${HOST}:${String(listener.port)}`, close: () => listener.drain(0) };
}

const answerRoute: RequestHandler = (req, res) => {
  const path = req.path.slice('/api/'.length);
  if (path === 'session' && req.headers.cookie?.includes(SESSION) !== true) {
    res.status(401).json({ error: 'nobody is signed in' });
    return;
  }
  const own = OWN_ANSWERS[path];
  const service = OPERATED_SERVICES.find((one) => path.startsWith(`${one}/`));
  if (own !== undefined || service === undefined) res.json(own ?? {});
  else res.type('json').send(sampleAnswer({ service, path: req.originalUrl.slice(`/api/${service}`.length) }).text);
};
