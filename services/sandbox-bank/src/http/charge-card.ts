import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { chargeCard } from '../use-cases/charge-card.ts';
import type { BankRoute } from './acquirer-call.ts';
import { amountKopecks, currency, description, operationId } from './fields.ts';
import { renderOperation } from './render-operation.ts';

const Body = z.strictObject({
  operationId,
  amountKopecks,
  currency,
  description,
  cardToken: z.string().min(1).max(128),
  initiator: z.literal('MERCHANT'),
  recurring: z.literal(true),
});

/** POST /v1/charges */
export function chargeCardRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const { operation, answer } = await chargeCard(deps, validate(Body, jsonBody(req)));
    return { body: renderOperation(deps, operation), answer };
  };
}
