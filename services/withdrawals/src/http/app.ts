import type { Express } from 'express';
import { FACTS } from '@pay/contract/facts.ts';
import type { SigningKeys } from '@pay/shared/broker/fact-signature.ts';
import { addFactsRoutes } from '@pay/shared/facts/facts-routes.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { getRegisterRoute, listRegistersRoute } from '@pay/shared/registers/register-routes.ts';
import type { Deps } from '../deps.ts';
import { cancelWithdrawalRoute } from './partner/cancel-withdrawal.ts';
import { USDT_REGISTERS } from './partner/list-registers.ts';
import { getBalanceRoute, getWithdrawalRoute, listWithdrawalsRoute } from './partner/read-withdrawals.ts';
import { requestWithdrawalRoute } from './partner/request-withdrawal.ts';

/**
 * THE ROUTE LIST of this service for the gateway, and `/internal/facts` for the consumers of its facts. Operators have
 * their own (`operator/app.ts`).
 */
export function createWithdrawalsApp(deps: Deps, verifyToken: InternalTokenVerifier, factKeys: SigningKeys): Express {
  return createApp({
    listener: 'api',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      addFactsRoutes(app, { db: deps.db, producer: 'withdrawals', facts: FACTS, keys: factKeys });
      app.use(requireInternalToken(verifyToken));
      app.get('/api/withdrawal-balances/:storeID', getBalanceRoute(deps));
      app.post('/api/withdrawal-requests', requestWithdrawalRoute(deps));
      app.get('/api/withdrawal-requests', listWithdrawalsRoute(deps));
      app.get('/api/withdrawal-requests/:requestID', getWithdrawalRoute(deps));
      app.post('/api/withdrawal-requests/:requestID/cancel', cancelWithdrawalRoute(deps));
      app.get('/api/registers/USDT', listRegistersRoute(deps, USDT_REGISTERS));
      app.get('/api/registers/USDT/:date', getRegisterRoute(deps, USDT_REGISTERS));
    },
  });
}
