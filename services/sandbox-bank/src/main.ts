import { runService } from '@pay/shared/service/run-service.ts';
import { randomBytes } from 'node:crypto';
import { Config } from './config.ts';
import type { HttpDeps } from './deps.ts';
import { createFaults } from './faults.ts';
import { createBankApp } from './http/app.ts';
import { createControlApp } from './http/control-app.ts';
import { createNotifier } from './notifier.ts';
import { notifyLoop } from './use-cases/notify-merchant.ts';

/** A key and, during a key rotation, the previous one. */
const bothOf = <T>(key: T, previous: T | undefined): readonly T[] => (previous === undefined ? [key] : [key, previous]);

await runService({
  name: 'sandbox-bank',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  build: ({ config, log, db }) => {
    const { NOTIFICATION_URL: url, NOTIFICATION_KEY: key } = config;
    const notifier = url === undefined || key === undefined ? undefined : createNotifier(url, key);
    const deps: HttpDeps = {
      db,
      newId: () => randomBytes(16).toString('hex'),
      faults: createFaults(),
      notifier,
      publicUrl: config.PUBLIC_URL,
      apiKeys: bothOf(config.API_KEY, config.API_KEY_PREVIOUS),
    };
    const controlKeys = bothOf(config.CONTROL_KEY, config.CONTROL_KEY_PREVIOUS);
    return {
      app: createBankApp(log, deps),
      listeners: [{ name: 'control', app: createControlApp(log, deps, controlKeys), port: config.CONTROL_PORT }],
      loops: notifier === undefined ? [] : [notifyLoop(deps, notifier)],
    };
  },
});
