import { z } from 'zod';
import { day, momentInput } from '@pay/shared/http/fields.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { readBack } from '../use-cases/read-back.ts';
import { readRegister } from '../use-cases/read-register.ts';
import type { BankRoute } from './acquirer-call.ts';
import { operationIdOfPath } from './fields.ts';
import { renderOperation } from './render-operation.ts';

/** GET /v1/operations/{operationId} */
export function readBackRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const { operation, answer } = await readBack(deps, operationIdOfPath(req));
    return { body: renderOperation(deps, operation), answer };
  };
}

const Query = z.strictObject({
  date: day,
  limit: z.coerce.number().int().min(1).max(1_000).default(500),
  after: z
    .string()
    .regex(/^[^_]+_[^_]+$/)
    .transform((text) => text.split('_'))
    .pipe(z.tuple([momentInput('When it was created'), z.uuid()]))
    .transform(([createdAt, operationId]) => ({ createdAt, operationId }))
    .optional(),
});

/**
 * GET /v1/register?date=YYYY-MM-DD: the operations created on that day, UTC; `next` is the `after` of the next page.
 */
export function readRegisterRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const { date, limit, after } = validateQuery(Query, req.url);
    const { operations, next } = await readRegister(deps, { date, limit, after });
    return {
      body: {
        date,
        operations: operations.map((operation) => renderOperation(deps, operation)),
        next: next === undefined ? null : `${next.createdAt.toISOString()}_${next.operationId}`,
      },
      answer: 'GIVEN',
    };
  };
}
