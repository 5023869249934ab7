import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { ACTIONS } from '@pay/shared/operators/roles.ts';
import type { z } from 'zod';
import { BODY_ERRORS } from '../api/operation.ts';
import { componentSchemas, describeErrors, LICENSE, pathParameters, queryParameters, type Json } from '../openapi-parts.ts';
import { OperatorError } from './errors.ts';
import { OPERATOR_OPERATIONS } from './operations.ts';
import type { OperatorOperation } from './operations/operation.ts';
import { operatorSchemas } from './registry.ts';

/** Any call may return one of these. */
const COMMON_ERRORS: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'VALIDATION_FAILED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** What operators do at each service. */
const ABOUT: Readonly<Record<keyof typeof OPERATOR_OPERATIONS, string>> = {
  gateway: 'Partners, their keys and their rate limits.',
  payments: 'Payments, refunds, stores, payment points, acquiring routes, the ledger and reconciliation.',
  bindings: 'Saved cards, and the consents of their buyers.',
  withdrawals: 'Payout requests and their review, fundings and recipients.',
  notifier: 'Events, their delivery, receivers and callback secrets.',
};

/**
 * The OpenAPI 3.1 document of the operator API, generated from the schemas. The documentation serves it as
 * `openapi-operators.json`; nothing stores it.
 */
export function operatorDocument(): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payment integration service: operator API',
      version: '1.0.0',
      description:
        'What operators do through the console. The console forwards `/api/<service><path>` to `/operator<path>` on the private ' +
        'port of that service, which checks the same table of roles again.',
      license: LICENSE,
    },
    servers: [{ url: '{consoleUrl}', variables: { consoleUrl: { default: 'http://127.0.0.1:8090' } } }],
    security: [{ session: [] }],
    tags: Object.entries(ABOUT).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'The console session of a person who signed in with two factors',
        },
      },
      schemas: componentSchemas(operatorSchemas),
    },
  };
}

function paths(): Json {
  const all = Object.entries(OPERATOR_OPERATIONS).flatMap(([service, operations]) =>
    operations.map((operation) => ({ service, operation, path: `/api/${service}${operation.path}` })),
  );
  return Object.fromEntries(
    [...Map.groupBy(all, ({ path }) => path)].map(([path, rows]) => [
      path,
      Object.fromEntries(rows.map(({ service, operation }) => [operation.method, operationObject(service, operation)])),
    ]),
  );
}

function operationObject(service: string, operation: OperatorOperation): Json {
  const { operationId, summary, action, request, query, answers, path } = operation;
  const parameters = [...pathParameters(path), ...(query === undefined ? [] : queryParameters(query))];
  return {
    operationId,
    tags: [service],
    summary,
    description: `For ${ACTIONS[action].join(', ')} (${action}).`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: { required: true, content: json(request) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          {
            description: 'Done',
            content: answer === 'text/csv' ? { 'text/csv': { schema: { type: 'string' } } } : json(answer),
          },
        ]),
      ),
      ...errorResponses(operation),
    },
  };
}

function json(schema: z.ZodType): Json {
  const id = operatorSchemas.get(schema)?.id;
  if (id === undefined) throw new Error('a schema of the operator API has no name');
  return { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } };
}

/** One response per status. Its description lists the codes in order of precedence. */
function errorResponses({ request, errors = [] }: OperatorOperation): Json {
  const possible: ReadonlySet<string> = new Set([...COMMON_ERRORS, ...(request === undefined ? [] : BODY_ERRORS), ...errors]);
  const rows = Object.entries(ERRORS).filter(([code]) => possible.has(code));
  const byStatus = Map.groupBy(rows, ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, entries]) => [
        String(status),
        {
          description: describeErrors(entries),
          content: json(OperatorError),
        },
      ]),
  );
}
