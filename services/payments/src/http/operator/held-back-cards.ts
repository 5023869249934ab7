import type { RequestHandler } from 'express';
import { LetCardsThrough, type ForgottenCards } from '@pay/contract/operator/held-back-cards.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { letCardsThrough } from '../../use-cases/operator/let-cards-through.ts';

/** POST /operator/held-back-cards/let-through: resets what a velocity rule has counted at a payment point. */
export function letCardsThroughRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const asked = validate(LetCardsThrough, jsonBody(req));
    const answer: RecordOf<typeof ForgottenCards> = {
      forgotten: await letCardsThrough(deps.db, asked, operatorOf(res).login),
    };
    res.json(answer);
  };
}
