import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { z } from 'zod';
import { ErrorBody } from './api/errors.ts';
import { BODY_ERRORS, COMMAND_ERRORS, COMMON_ERRORS, IDEMPOTENCY_ERRORS, type Operation } from './api/operation.ts';
import { OPERATIONS } from './api/operations.ts';
import { EVENTS } from './events.ts';
import { componentSchemas, pathParameters, queryParameters, type Json } from './openapi-parts.ts';
import { schemas } from './registry.ts';

const reference = (schema: z.ZodType): Json => {
  const id = schemas.get(schema)?.id;
  if (id === undefined) throw new Error('a schema of the document has no name');
  return { $ref: `#/components/schemas/${id}` };
};

const json = (schema: z.ZodType): Json => ({ 'application/json': { schema: reference(schema) } });

/**
 * The OpenAPI 3.1 document of the public API, generated from the schemas. Stored as docs/openapi.json; a test compares
 * the two.
 */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payment integration service',
      version: '1.0.0',
      description:
        'Card payments on a hosted payment page, and signed callbacks. Every call is signed by the partner; every callback is signed by the service. ' +
        'A query may contain only the parameters of its operation, each at most once: any other parameter is refused with 400 VALIDATION_FAILED and named in details.',
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'http://127.0.0.1:8080' } } }],
    security: [{ partnerSignature: [] }],
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: { partnerSignature: SIGNATURE_SCHEME },
      headers: {
        'X-Request-Id': {
          description: 'Quote it when you contact support',
          schema: { type: 'string', format: 'uuid' },
        },
        'Retry-After': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' } },
        'Idempotency-Replayed': {
          description: 'true: this request was already processed; the body shows the current state',
          schema: { type: 'string', const: 'true' },
        },
      },
      schemas: componentSchemas(schemas),
    },
  };
}

/** See spec/service-contract#authentication. */
const SIGNATURE_SCHEME: Json = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: [
    'A JSON object with exactly the string members partnerID, key (OpenSSH, ssh-ed25519), sign, timestamp (Unix seconds),',
    'nonce (16 to 128 characters, new for every attempt). sign is the base64 Ed25519 signature of seven parts joined by one',
    'line feed, with none at the end: timestamp, nonce, METHOD, escaped path, canonical query (sorted, RFC 3986, no question',
    'mark), Idempotency-Key or an empty string, lowercase hex SHA-256 of the body bytes.',
  ].join(' '),
};

function paths(): Json {
  const byPath = Map.groupBy(OPERATIONS, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)])),
    ]),
  );
}

function operationObject(operation: Operation): Json {
  const { operationId, summary, request, query, status, response, isAlsoCsv, path } = operation;
  const parameters = [
    ...pathParameters(path),
    ...(query === undefined ? [] : queryParameters(query)),
    ...(operation.isIdempotent === true ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: { required: true, content: json(request) } }),
    responses: {
      [String(status)]: {
        description: 'Done',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          ...(operation.isIdempotent === true
            ? { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }
            : {}),
        },
        content: { ...json(response), ...(isAlsoCsv === true ? { 'text/csv': { schema: { type: 'string' } } } : {}) },
      },
      ...errorResponses(operation),
    },
  };
}

/** See spec/service-contract#limits. */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'Use a new key for each new operation, and the same key with the same body to repeat one',
  schema: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
};

/** One response per status. Its description lists the codes in order of precedence. */
function errorResponses({ method, request, isIdempotent, errors }: Operation): Json {
  const possible = new Set<ErrorCode>([
    ...COMMON_ERRORS,
    ...(method === 'get' ? [] : COMMAND_ERRORS),
    ...(request === undefined ? [] : BODY_ERRORS),
    ...(isIdempotent === true ? IDEMPOTENCY_ERRORS : []),
    ...errors,
  ]);
  const rows = Object.entries(ERRORS).filter(([code]) => [...possible].some((one) => one === code));
  const byStatus = Map.groupBy(rows, ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, entries]) => [
        String(status),
        {
          description: entries.map(([code, { text }]) => `${code}: ${text}`).join('. '),
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            ...(status === 429 || status === 503
              ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
              : {}),
          },
          content: json(ErrorBody),
        },
      ]),
  );
}

/** See spec/service-contract#events. */
function webhooks(): Json {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on ${type}`,
          summary: schemas.get(schema)?.description,
          security: [],
          parameters: CALLBACK_HEADERS.map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: json(schema) },
          responses: {
            '200': { description: 'Stored: delivery is complete. Return it for repeats as well' },
            '401': { description: 'Not authentic: no further automatic attempts' },
            '5XX': { description: 'Retried with increasing pauses, as are 408, 425, 429 and no response' },
          },
        },
      },
    ]),
  );
}

const CALLBACK_HEADERS = [
  ['User-Agent', 'payment-callbacks/1: for your logs and firewall; it proves nothing'],
  ['X-Service-Event-ID', 'The eventId of the body'],
  ['X-Service-Event-Type', 'The type of the body'],
  ['X-Service-Timestamp', 'Unix time in seconds; reject the callback if it is more than 300 seconds off'],
  [
    'X-Service-Signature',
    'keyId:v1=hex of HMAC-SHA256(callback secret, X-Service-Timestamp + "." + raw body); two of them, separated by a comma, during a rotation',
  ],
] as const;
