import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { refundPayment } from '../use-cases/refund-payment.ts';
import type { BankRoute } from './acquirer-call.ts';
import { amountKopecks, operationId } from './fields.ts';
import { renderOperation } from './render-operation.ts';

const Body = z.strictObject({ operationId, originalOperationId: operationId, amountKopecks });

/** POST /v1/refunds */
export function refundPaymentRoute(deps: HttpDeps): BankRoute {
  return async (req) => {
    const operation = await refundPayment(deps, validate(Body, jsonBody(req)));
    return { body: renderOperation(deps, operation), answer: 'GIVEN' };
  };
}
