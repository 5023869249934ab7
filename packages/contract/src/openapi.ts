import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { z } from 'zod';
import { ERROR_CODES, ErrorBody } from './api/errors.ts';
import { BODY_ERRORS, COMMAND_ERRORS, COMMON_ERRORS, IDEMPOTENCY_ERRORS, type Operation } from './api/operation.ts';
import { linksOf } from './api/links.ts';
import { OPERATIONS } from './api/operations.ts';
import { CALLBACKS, tagOf, tags } from './api/tags.ts';
import { EVENTS, type EventType } from './events.ts';
import { errorExample } from './examples/errors.ts';
import { EVENT_EXAMPLES } from './examples/events.ts';
import { OTHER_EXAMPLES } from './examples/others.ts';
import { PAYMENT_EXAMPLES } from './examples/payments.ts';
import { componentSchemas, describeErrors, LICENSE, pathParameters, queryParameters, type Json } from './openapi-parts.ts';
import { schemas } from './registry.ts';

const reference = (schema: z.ZodType): Json => {
  const id = schemas.get(schema)?.id;
  if (id === undefined) throw new Error('a schema of the document has no name');
  return { $ref: `#/components/schemas/${id}` };
};

/** `members` has the example, or the examples by name. */
const json = (schema: z.ZodType, members: Json): Json => ({
  'application/json': { schema: reference(schema), ...members },
});

/** Server-sent events. */
const stream = (example: string | undefined): Json => ({
  'text/event-stream': { schema: { type: 'string' }, example },
});

const EXAMPLES = { ...PAYMENT_EXAMPLES, ...OTHER_EXAMPLES };

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
      description: ABOUT,
      license: LICENSE,
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'http://127.0.0.1:8080' } } }],
    security: [{ partnerSignature: [] }],
    tags: tags(),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: { partnerSignature: SIGNATURE_SCHEME },
      headers: {
        'X-Request-Id': {
          description: 'Quote it when you contact support',
          schema: { type: 'string', format: 'uuid' },
        },
        'Retry-After': {
          description: 'Seconds to wait before the next attempt',
          schema: { type: 'integer', format: 'int32' },
        },
        'Idempotency-Replayed': {
          description: 'true: this request was already processed; the body shows the current state',
          schema: { type: 'string', const: 'true' },
        },
        Allow: {
          description: 'The methods that the path supports, separated by commas',
          schema: { type: 'string' },
        },
      },
      examples: errorExamples(),
      schemas: componentSchemas(schemas),
    },
  };
}

const ABOUT = `Card payments on a hosted payment page, SBP QR payments, charges of saved cards, refunds and payout requests, and signed callbacks. Every call is signed by the partner; every callback is signed by the service.

**Amounts.** A decimal string is the safe form, and the only one for charges, refunds, payout requests, balances and events: \`"10.50"\`. The \`amount\` of a card or QR payment is a JSON number; the service reads its digits and never a float. \`10\`, \`10.5\` and \`10.50\` are accepted; \`10.505\`, \`1e2\` and \`"10.50"\` are refused with 400. A 64-bit float keeps every amount, a 32-bit one does not: it turns 200000.01 into 200000.02. Do not compute with either.

**Queries.** A query may contain only the parameters of its operation, each at most once: any other parameter is refused with 400 VALIDATION_FAILED and named in details.

**Texts.** They have no control characters and are not blank. A text that people read contains no card number, wallet address, key or seed phrase.`;

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
  const example = EXAMPLES[operationId];
  if (example === undefined) throw new Error(`${operationId} has no example`);
  const parameters = [
    ...pathParameters(path),
    ...(query === undefined ? [] : queryParameters(query)),
    ...(operation.isIdempotent === true ? [IDEMPOTENCY_KEY] : []),
  ];
  const links = linksOf(
    operation,
    parameters.some(({ name }) => name === 'pageToken'),
  );
  return {
    operationId,
    tags: [tagOf(path)],
    ...(operation.isTestOnly === true ? { 'x-test-only': true } : {}),
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: { required: true, content: json(request, { example: example.request }) } }),
    responses: {
      [String(status)]: {
        description: 'Done',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          ...(operation.isIdempotent === true ? { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } } : {}),
        },
        content: {
          ...(response === undefined ? stream(example.stream) : json(response, { example: example.response })),
          ...(isAlsoCsv === true ? { 'text/csv': { schema: { type: 'string' }, example: example.csv } } : {}),
        },
        ...(links === undefined ? {} : { links }),
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

/** DUPLICATE_ORDER of a refund names the refund. */
const DUPLICATE_REFUND = 'DUPLICATE_ORDER_OF_A_REFUND';

/** One of each code that the public API answers. */
function errorExamples(): Json {
  const codes = ERROR_CODES.map((code) => [code, { summary: ERRORS[code].text, value: errorExample(code) }] as const);
  return {
    ...Object.fromEntries(codes),
    [DUPLICATE_REFUND]: { summary: ERRORS.DUPLICATE_ORDER.text, value: errorExample('DUPLICATE_ORDER', true) },
  };
}

/** One response per status. Its description lists the codes in order of precedence. */
function errorResponses({ method, path, request, isIdempotent, errors }: Operation): Json {
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
          description: describeErrors(entries),
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
            ...(status === 405 ? { Allow: { $ref: '#/components/headers/Allow' } } : {}),
          },
          content: json(ErrorBody, {
            examples: Object.fromEntries(
              entries.map(([code]) => {
                const name = code === 'DUPLICATE_ORDER' && path.endsWith('/refunds') ? DUPLICATE_REFUND : code;
                return [code, { $ref: `#/components/examples/${name}` }];
              }),
            ),
          }),
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
          operationId: `on${schemas.get(schema)?.id.replace(/Event$/, '') ?? ''}`,
          tags: [CALLBACKS.name],
          summary: schemas.get(schema)?.description,
          security: [],
          parameters: CALLBACK_HEADERS.map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: json(schema, { example: exampleOf(type) }) },
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

const isEvent = (type: string): type is EventType => Object.hasOwn(EVENTS, type);
const exampleOf = (type: string): unknown => (isEvent(type) ? EVENT_EXAMPLES[type] : undefined);

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
