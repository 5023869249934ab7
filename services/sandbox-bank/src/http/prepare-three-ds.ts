import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { prepareThreeDs } from '../use-cases/prepare-three-ds.ts';
import type { BankRoute } from './acquirer-call.ts';
import { card, operationIdOfPath } from './fields.ts';
import { THREE_DS_METHOD } from './three-ds-method.ts';

const Body = z.strictObject({ card });

/** POST /v1/orders/{operationId}/three-ds */
export function prepareThreeDsRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const body = validate(Body, jsonBody(req));
    const { hasMethod, ...preparation } = await prepareThreeDs(deps, operationIdOfPath(req), body.card);
    const methodUrl = hasMethod ? { methodUrl: `${deps.publicUrl}${THREE_DS_METHOD}` } : {};
    return { body: { ...preparation, ...methodUrl }, answer: 'GIVEN' };
  };
}
