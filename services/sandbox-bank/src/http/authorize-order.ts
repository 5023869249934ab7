import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { authorizeOrder } from '../use-cases/authorize-order.ts';
import type { BankRoute } from './acquirer-call.ts';
import { digits, operationIdOfPath } from './fields.ts';
import { renderOperation } from './render-operation.ts';

/** Two digits of a year mean this century. */
const year = digits.pipe(z.string().regex(/^(?:20)?\d{2}$/)).transform((text) => 2000 + Number(text.slice(-2)));

const Body = z.strictObject({
  card: z.strictObject({
    number: z.string().regex(/^\d{12,19}$/),
    expiryMonth: digits.pipe(z.string().regex(/^(?:0?[1-9]|1[0-2])$/)).transform(Number),
    expiryYear: year,
    cvv: z.string().regex(/^\d{3,4}$/),
  }),
  saveCard: z.boolean(),
  whenNotAuthenticated: z.enum(['DECLINE', 'ACCEPT']).default('ACCEPT'),
});

/** POST /v1/orders/{operationId}/authorize */
export function authorizeOrderRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const body = validate(Body, jsonBody(req));
    const { operation, answer } = await authorizeOrder(deps, { operationId: operationIdOfPath(req), ...body });
    return { body: renderOperation(deps, operation), answer };
  };
}
