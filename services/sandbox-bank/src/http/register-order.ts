import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { momentInput } from '@pay/shared/http/fields.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { registerOrder } from '../use-cases/register-order.ts';
import type { BankRoute } from './acquirer-call.ts';
import { amountKopecks, currency, description, operationId } from './fields.ts';
import { renderOperation } from './render-operation.ts';

const Body = z.strictObject({
  operationId,
  amountKopecks,
  currency,
  description,
  method: z.enum(['CARD', 'SBP']),
  expiresAt: momentInput('When it ends'),
  returnUrl: z.url({ protocol: /^https?$/ }).max(2048),
});

/** POST /v1/orders */
export function registerOrderRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const operation = await registerOrder(deps, validate(Body, jsonBody(req)));
    return { body: renderOperation(deps, operation), answer: 'GIVEN' };
  };
}
