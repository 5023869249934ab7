import type { RequestHandler } from 'express';
import { z } from 'zod';
import { VELOCITY_RULES } from '@pay/contract/operator/states.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { letCardsThrough } from '../../use-cases/operator/let-cards-through.ts';
import { issuedId } from '../fields.ts';

const Body = z.strictObject({
  paymentPointId: issuedId,
  rule: z.enum(VELOCITY_RULES),
  reason: typedText('held-back.reason'),
});

/** POST /operator/held-back-cards/let-through: what a rule counted against a point's buyers is forgotten. */
export function letCardsThroughRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json({ forgotten: await letCardsThrough(deps.db, validate(Body, jsonBody(req)), operatorOf(res).login) });
  };
}
