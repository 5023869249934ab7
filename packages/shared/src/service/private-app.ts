import express, { type Express, type Request, type Response } from 'express';
import { countConnections } from '../postgres/connect/measure-pool.ts';
import { registry } from '../telemetry/metrics.ts';

type Options = {
  /** Names of what is not ready; empty means ready. */
  readonly notReady: () => Promise<readonly string[]>;
  /**
   * What is wrong although requests are answered, one sentence each: facts that are not published, callbacks behind a
   * gap.
   */
  readonly degraded: () => readonly string[];
  /** The operator API of this service, mounted at `/operator`, if it has one. */
  readonly operatorApp?: Express | undefined;
  /** What the partner portal asks for, mounted at `/portal`; the gateway has it. */
  readonly portalApp?: Express | undefined;
};

/**
 * The private port: `/healthz` (the process is alive), `/readyz` (it can work: 503 names what is missing; 200 names
 * what is degraded: requests should continue, but somebody should check), `/metrics`, and the operator API. Never
 * published to partners.
 */
export function createPrivateApp(options: Options): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_req: Request, res: Response) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req: Request, res: Response) => {
    const missing = await options.notReady();
    res
      .status(missing.length === 0 ? 200 : 503)
      .json({ status: missing.length === 0 ? 'ready' : 'not ready', missing, degraded: options.degraded() });
  });
  app.get('/metrics', async (_req: Request, res: Response) => {
    countConnections();
    res.type(registry.contentType).send(await registry.metrics());
  });
  if (options.operatorApp !== undefined) app.use('/operator', options.operatorApp);
  if (options.portalApp !== undefined) app.use('/portal', options.portalApp);
  return app;
}
