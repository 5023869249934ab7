import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Express } from 'express';

/** The routes of this service, reached with an internal token only. */
export function createBindingsApp(log: Log, verifyToken: InternalTokenVerifier): Express {
  return createApp({
    listener: 'api',
    log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verifyToken));
    },
  });
}
