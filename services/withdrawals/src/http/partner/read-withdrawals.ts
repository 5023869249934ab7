import type { RequestHandler } from 'express';
import { WithdrawalRequestFilter } from '@pay/contract/api/withdrawals.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId, pathName } from '@pay/shared/http/path-id.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readPartnerBalance, readPartnerWithdrawals, readWithdrawal } from '../../use-cases/read-withdrawals.ts';
import { renderBalance, renderWithdrawal } from '../render.ts';

/** GET /api/withdrawal-balances/{storeID} */
export function getBalanceRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderBalance(await readPartnerBalance(deps.db, partnerOf(res), pathName(req, 'storeID'))));
  };
}

/** GET /api/withdrawal-requests/{requestID} */
export function getWithdrawalRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderWithdrawal(await readWithdrawal(deps.db, partnerOf(res), pathId(req, 'requestID'))));
  };
}

/** GET /api/withdrawal-requests */
export function listWithdrawalsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId, status, limit: count, pageToken } = validateQuery(WithdrawalRequestFilter, req.url);
    const partnerId = partnerOf(res);
    const scope = [partnerId, storeId, status];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await readPartnerWithdrawals(deps.db, { partnerId, storeId, status }, after, count);
    res.json({ items: items.map(renderWithdrawal), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}
