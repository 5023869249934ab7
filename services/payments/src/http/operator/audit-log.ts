import type { RequestHandler } from 'express';
import { z } from 'zod';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readActions } from '../../use-cases/operator/read-payment-timeline.ts';
import { issuedId, limit } from '../fields.ts';

const Query = z.strictObject({ subjectId: issuedId.optional(), limit });

/** GET /operator/actions: what operators did to a payment, a store, a point, a route; the newest first. */
export function listActionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { subjectId, limit: count } = validate(Query, { ...req.query });
    const actions = await readActions(deps.db, subjectId, count);
    res.json({
      items: actions.map(({ position, at, ...action }) => ({
        position: position.toString(),
        at: at.toISOString(),
        ...action,
      })),
    });
  };
}
