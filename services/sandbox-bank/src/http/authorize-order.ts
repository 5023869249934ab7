import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { authorizeOrder } from '../use-cases/authorize-order.ts';
import type { BankRoute } from './acquirer-call.ts';
import { card, operationIdOfPath } from './fields.ts';
import { renderOperation } from './render-operation.ts';

/** A whole number of JSON. */
const whole = z
  .instanceof(JsonNumber)
  .transform(({ token }) => Number(token))
  .pipe(z.int());

/** What EMV 3-D Secure collects about the buyer's browser. None of it is stored. */
const buyer = z.strictObject({
  address: z.string().max(45).optional(),
  language: z.enum(['ru', 'en']),
  userAgent: z.string().max(2_048).optional(),
  accept: z.string().max(2_048).optional(),
  browser: z
    .strictObject({
      colorDepth: whole.refine((bits) => [1, 4, 8, 15, 16, 24, 32, 48].includes(bits)),
      screenHeight: whole.pipe(z.int().min(1).max(999_999)),
      screenWidth: whole.pipe(z.int().min(1).max(999_999)),
      timezoneOffsetMinutes: whole.pipe(z.int().min(-840).max(720)),
      language: z.string().min(1).max(8),
      isJavaEnabled: z.boolean(),
    })
    .optional(),
});

const Body = z.strictObject({
  card,
  saveCard: z.boolean(),
  whenNotAuthenticated: z.enum(['DECLINE', 'ACCEPT']).default('ACCEPT'),
  /** EMV's flag for whether the 3DS Method ran. */
  threeDsCompInd: z.enum(['Y', 'N', 'U']).default('U'),
  buyer: buyer.optional(),
});

/** POST /v1/orders/{operationId}/authorize */
export function authorizeOrderRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const { buyer: told, ...body } = validate(Body, jsonBody(req));
    const isBrowserKnown = told?.browser !== undefined && told.userAgent !== undefined && told.accept !== undefined;
    const command = { operationId: operationIdOfPath(req), ...body, isBrowserKnown };
    const { operation, answer } = await authorizeOrder(deps, command);
    return { body: renderOperation(deps, operation), answer };
  };
}
