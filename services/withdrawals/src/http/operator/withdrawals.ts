import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import type { WithdrawalAction } from '@pay/contract/operator/states.ts';
import { UsdtStoreQuery } from '@pay/contract/operator/usdt-stores.ts';
import {
  ActOnWithdrawal,
  CompleteWithdrawal,
  EndWithdrawal,
  WithdrawalFilter as FilterQuery,
  WithdrawalQuery,
} from '@pay/contract/operator/withdrawals.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId, pathName } from '@pay/shared/http/path-id.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import type { OperatorAction } from '../../domain/operator-action.ts';
import { actOnWithdrawal } from '../../use-cases/act-on-withdrawal.ts';
import {
  readAudit,
  readCounts,
  readHistory,
  readStores,
  readWithdrawals,
  type WithdrawalFilter,
} from '../../use-cases/read-withdrawals.ts';
import { renderAudit, renderCount, renderForOperator, renderStore } from '../render.ts';

/** GET /operator/withdrawals: any partner's, the newest or the oldest first. */
export function listForOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { limit: count, pageToken, order, ...asked } = validateQuery(WithdrawalQuery, req.url);
    const filter = filterOf(asked);
    const { id, partnerId, storeId, status, from, to } = filter;
    // Nine parts: no partner's token is good here, and none of these is good for a partner.
    const moments = [from?.toISOString(), to?.toISOString()];
    const scope = ['operator', operatorOf(res).login, id, partnerId, storeId, status, order, ...moments];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await readWithdrawals(deps.db, { filter, order, after }, count);
    res.json({ items: items.map(renderForOperator), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** GET /operator/withdrawals/counts: of every state, with the filters of the list. */
export function countForOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const counts = await readCounts(deps.db, filterOf(validateQuery(FilterQuery, req.url)));
    res.json({ items: counts.map(renderCount) });
  };
}

/** GET /operator/stores: with their balances. */
export function listStoresRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerID: partnerId, after, limit: count } = validateQuery(UsdtStoreQuery, req.url);
    res.json({ items: (await readStores(deps.db, { partnerId, after }, count)).map(renderStore) });
  };
}

function filterOf({ partnerID: partnerId, ...filter }: z.output<typeof FilterQuery>): WithdrawalFilter {
  return { partnerId, ...filter };
}

/** GET /operator/withdrawals/{requestID}, with its history. */
export function getForOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { withdrawal, history } = await readHistory(deps.db, pathId(req, 'requestID'));
    res.json({ ...renderForOperator(withdrawal), history: history.map(renderAudit) });
  };
}

/** GET /operator/partners/{partnerID}/audit */
export function listAuditRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json({ items: (await readAudit(deps.db, pathName(req, 'partnerID'))).map(renderAudit) });
  };
}

/**
 * POST /operator/withdrawals/{requestID}/{action}. A revision that is not the newest: 409 STALE_REVISION with the request
 * as it is now in `current`.
 */
export function actRoute(deps: Deps, kind: WithdrawalAction): RequestHandler {
  return async (req, res) => {
    const withdrawalRequestId = pathId(req, 'requestID');
    const asked = { operator: operatorOf(res), withdrawalRequestId, ...readAction(req, kind) };
    const outcome = await actOnWithdrawal(deps.db, asked);
    const current = renderForOperator(outcome.withdrawal);
    if (outcome.kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

function readAction(req: Request, kind: WithdrawalAction): { readonly revision: number; readonly action: OperatorAction } {
  switch (kind) {
    case 'take':
    case 'approve':
      return { ...validate(ActOnWithdrawal, jsonBody(req)), action: { kind } };
    case 'reject':
    case 'cancel':
    case 'fail': {
      const { revision: seen, reason } = validate(EndWithdrawal, jsonBody(req));
      return { revision: seen, action: { kind, reason } };
    }
    case 'complete': {
      const { revision: seen, transferReference: reference } = validate(CompleteWithdrawal, jsonBody(req));
      return { revision: seen, action: { kind, transferReference: reference } };
    }
  }
}
