import { createApp } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Express } from 'express';

/** The routes of the console, an origin of its own. */
export function createConsoleApp(log: Log): Express {
  return createApp({ listener: 'console', log, requestIdFrom: 'edge', routes: () => undefined });
}
