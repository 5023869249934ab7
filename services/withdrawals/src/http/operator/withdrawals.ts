import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { forbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import type { OperatorAction } from '../../domain/operator-action.ts';
import { WITHDRAWAL_STATUSES } from '@pay/contract/states.ts';
import { actOnWithdrawal } from '../../use-cases/act-on-withdrawal.ts';
import {
  readAudit,
  readCounts,
  readHistory,
  readStores,
  readWithdrawals,
  type WithdrawalFilter,
} from '../../use-cases/read-withdrawals.ts';
import { issuedId, limit, moment, param, revision, text, uuidParam } from '../fields.ts';
import { renderAudit, renderCount, renderForOperator, renderStore } from '../render.ts';

const Filter = z.strictObject({
  partnerID: issuedId.optional(),
  storeId: issuedId.optional(),
  status: z.enum(WITHDRAWAL_STATUSES).optional(),
  from: moment.optional(),
  to: moment.optional(),
});
const Query = Filter.extend({ limit, pageToken: text.optional() });
const StoreQuery = z.strictObject({ partnerID: issuedId.optional(), after: issuedId.optional(), limit });

/** The hash of a transfer looks like a private key; nothing else that is forbidden may stand here. */
const TRANSFER_HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const transferReference = text
  .regex(/^[A-Za-z0-9._:-]{6,128}$/, 'must be 6 to 128 of A-Z a-z 0-9 . _ : -')
  .refine(
    (value) => TRANSFER_HASH.test(value) || forbiddenContent(value) === undefined,
    'must be the reference of a transfer',
  );

const Seen = z.strictObject({ revision });
const WithReason = z.strictObject({ revision, reason: typedText('withdrawal.reason') });
const WithTransfer = z.strictObject({ revision, transferReference });

/** GET /operator/withdrawals: any partner's, the newest first. */
export function listForOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { limit: count, pageToken, ...asked } = validate(Query, { ...req.query });
    const filter = filterOf(asked);
    const { partnerId, storeId, status, from, to } = filter;
    // Seven parts: no partner's token is good here, and none of these is good for a partner.
    const moments = [from?.toISOString(), to?.toISOString()];
    const scope = ['operator', operatorOf(res).login, partnerId, storeId, status, ...moments];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await readWithdrawals(deps.db, filter, after, count);
    res.json({ items: items.map(renderForOperator), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** GET /operator/withdrawals/counts: of every state, with the filters of the list. */
export function countForOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const counts = await readCounts(deps.db, filterOf(validate(Filter, { ...req.query })));
    res.json({ items: counts.map(renderCount) });
  };
}

/** GET /operator/stores: with their balances. */
export function listStoresRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerID: partnerId, after, limit: count } = validate(StoreQuery, { ...req.query });
    res.json({ items: (await readStores(deps.db, { partnerId, after }, count)).map(renderStore) });
  };
}

function filterOf({ partnerID: partnerId, ...filter }: z.output<typeof Filter>): WithdrawalFilter {
  return { partnerId, ...filter };
}

/** GET /operator/withdrawals/{requestID}, with its history. */
export function getForOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { withdrawal, history } = await readHistory(deps.db, uuidParam(req, 'requestID'));
    res.json({ ...renderForOperator(withdrawal), history: history.map(renderAudit) });
  };
}

/** GET /operator/partners/{partnerID}/audit */
export function listAuditRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json({ items: (await readAudit(deps.db, param(req, 'partnerID'))).map(renderAudit) });
  };
}

/**
 * POST /operator/withdrawals/{requestID}/{action}. A revision that is not the newest: 409 STALE_REVISION with the request
 * as it is now in `current`.
 */
export function actRoute(deps: Deps, kind: OperatorAction['kind']): RequestHandler {
  return async (req, res) => {
    const withdrawalRequestId = uuidParam(req, 'requestID');
    const asked = { operator: operatorOf(res), withdrawalRequestId, ...readAction(req, kind) };
    const outcome = await actOnWithdrawal(deps.db, asked);
    const current = renderForOperator(outcome.withdrawal);
    if (outcome.kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.json(current);
  };
}

function readAction(
  req: Request,
  kind: OperatorAction['kind'],
): { readonly revision: number; readonly action: OperatorAction } {
  switch (kind) {
    case 'take':
    case 'approve':
      return { ...validate(Seen, jsonBody(req)), action: { kind } };
    case 'reject':
    case 'cancel':
    case 'fail': {
      const { revision: seen, reason } = validate(WithReason, jsonBody(req));
      return { revision: seen, action: { kind, reason } };
    }
    case 'complete': {
      const { revision: seen, transferReference: reference } = validate(WithTransfer, jsonBody(req));
      return { revision: seen, action: { kind, transferReference: reference } };
    }
  }
}
