import { z } from 'zod';
import { validate } from '@pay/shared/http/validate.ts';
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

const Query = z.strictObject({ date: z.iso.date() });

/** GET /v1/register?date=YYYY-MM-DD: every operation that was created on that day, UTC. */
export function readRegisterRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const { date } = validate(Query, req.query);
    const operations = await readRegister(deps, date);
    return {
      body: { date, operations: operations.map((operation) => renderOperation(deps, operation)) },
      answer: 'GIVEN',
    };
  };
}
