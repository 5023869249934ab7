import type { Express } from 'express';
import { z } from 'zod';
import { frontConfig, maskedConfig, readConfig } from '../config/config.ts';
import { listen } from '../http/server.ts';
import { createLog, type Log } from '../logging/logger.ts';
import { trustedProxies } from '../net/client-address.ts';
import { startTelemetry } from '../telemetry/start.ts';
import { createPrivateApp } from './private-app.ts';
import { demandHardened, DRAIN_MS, endLoudly, endOnWrongConfig, onceStopped } from './process-life.ts';

/** What this program itself reads of the configuration. */
const Front = z.object({ ...frontConfig, TRUSTED_PROXIES: trustedProxies });

type Definition<T extends z.ZodObject> = {
  readonly name: string;
  /** Includes `frontConfig`, and TRUSTED_PROXIES. */
  readonly schema: T;
  readonly build: (config: Readonly<z.output<T>>, log: Log) => Promise<Express>;
};

const PRIVATE_DRAIN_MS = 500;

/**
 * The whole life of a program that has pages and no database: configuration, two listeners, health, and a shutdown that
 * drops no request. What needs a database is `runService`. See decisions/portal-sessions.
 */
export async function runFront<T extends z.ZodObject>(definition: Definition<T>): Promise<void> {
  await endOnWrongConfig(definition.name, () => start(definition));
}

async function start<T extends z.ZodObject>({ name, schema, build }: Definition<T>): Promise<void> {
  const config = readConfig(schema, process.env);
  const base = readConfig(Front, process.env);
  if (base.ENVIRONMENT === 'LIVE') demandHardened();
  const log = createLog(name, base.LOG_LEVEL);
  endLoudly(log);
  log.info('starting', { config: JSON.stringify(maskedConfig(schema, config)) });
  const telemetry = await startTelemetry(name, process.env);
  const app = await build(config, log);
  let isDraining = false;
  const privateApp = createPrivateApp({
    notReady: () => Promise.resolve(isDraining ? ['draining'] : []),
    degraded: () => [],
  });
  const privateListener = await listen(privateApp, base.PRIVATE_HOST, base.PRIVATE_PORT);
  log.info('listening', { listener: 'private', port: privateListener.port });
  const listener = await listen(app, base.HOST, base.PORT, {
    proxies: base.TRUSTED_PROXIES,
    onUnreadable: (unreadable) => {
      log.info('unreadable request', { listener: 'api', ...unreadable });
    },
  });
  log.info('listening', { listener: 'api', port: listener.port });
  onceStopped(log, async () => {
    isDraining = true;
    await listener.drain(DRAIN_MS);
    await privateListener.drain(PRIVATE_DRAIN_MS);
    await telemetry.stop();
  });
}
