import { z } from 'zod';
import { EVENTS } from './events.ts';
import { EXTRA_EVENTS } from './extra-events.ts';
import { openApiDocument } from './openapi.ts';
import { RETRY_ADVICE } from './retry-advice.ts';
import * as states from './states.ts';

// What the SDKs are generated from: the records and the calls of the document (decisions/sdks).

/** A JSON Schema of the document: the parts that determine a type. */
const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.string()).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  maxLength: z.int().optional(),
  minimum: z.int().optional(),
  maximum: z.int().optional(),
  required: z.array(z.string()).default([]),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});
export type Schema = z.output<typeof Schema>;

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
});
const Content = z.record(z.string(), z.object({ schema: Schema }));
const Operation = z.object({
  operationId: z.string(),
  'x-test-only': z.literal(true).optional(),
  summary: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});
type Operation = z.output<typeof Operation>;
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.unknown()),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

/** Enumerations that programs also need at run time: name of the list, name of the type, the values, the description. */
export const LISTS: readonly (readonly [list: string, word: string, words: readonly string[], what: string])[] = [
  ['PAYMENT_STATUSES', 'PaymentStatus', states.PAYMENT_STATUSES, 'The status of a payment.'],
  ['FAILED_STATUSES', 'FailedStatus', states.FAILED_STATUSES, 'The final statuses of a payment in which no money was taken.'],
  ['PAYMENT_METHODS', 'PaymentMethod', states.PAYMENT_METHODS, 'How a payment is made.'],
  ['FAILURE_CODES', 'FailureCode', states.FAILURE_CODES, 'Why a payment ended with no money taken. A newer service may send others.'],
  [
    'RETRY_ADVICE',
    'RetryAdvice',
    RETRY_ADVICE,
    'Whether a declined charge may be retried: never with this card, later (schemes limit how often), or at any time.',
  ],
  ['REFUND_STATUSES', 'RefundStatus', states.REFUND_STATUSES, 'The status of a refund.'],
  ['REFUND_FAILURE_CODES', 'RefundFailureCode', states.REFUND_FAILURE_CODES, 'Why a refund failed: the codes of payments, and one more.'],
  ['POINT_STATUSES', 'PointStatus', states.POINT_STATUSES, 'The status of a payment point.'],
  ['POINT_METHODS', 'PointMethod', states.POINT_METHODS, 'What a payment point accepts; charges of saved cards use CARD.'],
  ['BINDING_STATUSES', 'BindingStatus', states.BINDING_STATUSES, 'The status of a saved card.'],
  ['CHARGE_PERIODS', 'ChargePeriod', states.CHARGE_PERIODS, 'The maximum frequency at which a saved card may be charged.'],
  ['WITHDRAWAL_STATUSES', 'WithdrawalStatus', states.WITHDRAWAL_STATUSES, 'The status of a payout request.'],
  [
    'EVENT_STATUSES',
    'EventStatus',
    states.EVENT_STATUSES,
    'The delivery status of an event. NOT_CONFIGURED: stored and not sent until a replay is requested.',
  ],
  ['EVENT_TYPES', 'EventType', Object.keys(EVENTS), 'The type of an event. A newer service may send others.'],
  ['EXTRA_EVENTS', 'ExtraEvent', EXTRA_EVENTS, 'Events that are sent only if enabled.'],
];

/** Nested records that have a name of their own. */
export const NESTED: Readonly<Record<string, readonly [name: string, what: string]>> = {
  'CallbackEventStory.attempts': ['CallbackAttempt', 'One delivery attempt to your address.'],
  'Receipt.items': ['ReceiptItem', 'One line of a receipt.'],
  'RegisterPart.items': ['RegisterLine', 'One entry of a register.'],
  'UsdtRegisterPart.items': ['UsdtRegisterLine', 'One entry of a USDT register.'],
};

/** Query types of lists. Lists with the same query share a type. */
const QUERIES: Readonly<Record<string, readonly [name: string, what: string]>> = {
  listCardRefunds: ['PageOptions', 'Which page of a list.'],
  listCardPayments: ['CardListOptions', 'Which card payments and charges of saved cards.'],
  listQrPayments: ['QrHistoryOptions', 'Which QR payments of a point.'],
  listBindings: ['BindingFilter', 'Whose saved cards, and which.'],
  listEvents: ['EventFilter', 'Which events; an omitted field does not filter.'],
  listRegisters: ['RegisterListOptions', 'Which registers.'],
  listWithdrawalRequests: ['WithdrawalFilter', 'Which payout requests.'],
};

/** Enumerations to which a newer service may add, and which a program need not know in full. */
export const OPEN = ['CallbackEvent.type', 'CallbackEventStory.type', 'CallbackAttempt.failure', 'EventFilter.type'];

/** A record with its name in the SDKs. */
export type NamedRecord = { readonly name: string; readonly what: string | undefined; readonly schema: Schema };

/** One method of a client. */
export type SdkCall = {
  /** In camel case. */
  readonly name: string;
  readonly what: string;
  readonly method: string;
  /** With `{id}` where a path parameter goes. */
  readonly path: string;
  /** The names of the path parameters. */
  readonly places: readonly string[];
  readonly takesKey: boolean;
  /** The body; it may be left out if no member is required. `amountIsNumber`: its amount is a JSON number. */
  readonly body: { readonly type: string; readonly isOptional: boolean; readonly amountIsNumber: boolean } | undefined;
  /** The filter of a list. */
  readonly query: { readonly type: string; readonly isOptional: boolean } | undefined;
  /** It is read in parts, numbered from 1, each also as CSV. */
  readonly hasParts: boolean;
  /** `page`: of records of this type. `items`: a list of them that has no pages. */
  readonly answer: { readonly type: string; readonly shape: 'record' | 'page' | 'items' };
};

/** The document as the generators of the SDKs read it. */
export type SdkDocument = {
  /** Queries of lists. */
  readonly queries: readonly NamedRecord[];
  /** Requests and responses. `source` is the name in the document. */
  readonly records: readonly (NamedRecord & { readonly source: string })[];
  readonly events: readonly NamedRecord[];
  /** The names of the events, in the order of the document's webhooks. */
  readonly eventNames: readonly string[];
  readonly errorCodes: readonly string[];
  readonly calls: readonly SdkCall[];
};

/** The document says that a text is always null; here that is a type of its own. */
function nullAsType(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('const' in value) || value.const !== null) return value;
  const { const: _null, ...rest } = value;
  return { ...rest, type: 'null' };
}

/** @throws Error if the document has something that no SDK knows to say. */
export function sdkDocument(): SdkDocument {
  const { paths, webhooks, components } = Document.parse(JSON.parse(JSON.stringify(openApiDocument()), nullAsType));
  const all = Object.entries(components.schemas);
  const isEvent = (name: string) => name.endsWith('Event') && name !== 'CallbackEvent';
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !isForTools(operation))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const parametersOf = (operationId: string) =>
    operations.find(({ operation }) => operation.operationId === operationId)?.operation.parameters ?? [];
  const queries = Object.entries(QUERIES).map(([operationId, [name, what]]) => ({
    name,
    what,
    schema: queryOf(parametersOf(operationId).filter((one) => one.in === 'query')),
  }));
  return {
    queries,
    records: all
      .filter(([name]) => !/List$|^Error$/.test(name) && !isEvent(name))
      .map(([source, schema]) => ({ source, name: nameOf(source), what: schema.description, schema })),
    events: all.filter(([name]) => isEvent(name)).map(([name, schema]) => ({ name, what: schema.description, schema })),
    eventNames: Object.keys(webhooks).map((type) => eventName(all, type)),
    errorCodes: components.schemas['Error']?.properties?.['code']?.enum ?? [],
    calls: operations.map((one) => callOf(one, queries, components.schemas)),
  };
}

/**
 * No SDK has a call for a stream (two have a function of their own, decisions/event-stream), or for what exists in TEST
 * only.
 */
const isForTools = ({ responses, 'x-test-only': isTestOnly }: Operation): boolean =>
  isTestOnly === true || Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

type Placed = { readonly path: string; readonly method: string; readonly operation: Operation };
type Schemas = Readonly<Record<string, Schema>>;

function callOf({ path, method, operation }: Placed, queries: readonly NamedRecord[], schemas: Schemas): SdkCall {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const query = parameters.filter((one) => one.in === 'query');
  const hasParts = query.some(({ name }) => name === 'part');
  const body = requestBody === undefined ? undefined : sourceOf(requestBody.content, operationId);
  const bodySchema = body === undefined ? undefined : schemas[body];
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  return {
    name: operationId,
    what: summary,
    method,
    path,
    places: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body:
      body === undefined || bodySchema === undefined
        ? undefined
        : {
            type: nameOf(body),
            isOptional: bodySchema.required.length === 0,
            amountIsNumber: bodySchema.properties?.['amount']?.type === 'number',
          },
    query: query.length === 0 || hasParts ? undefined : filterOf(query, operationId, queries),
    hasParts,
    answer: answerOf(sourceOf(success ?? {}, operationId), schemas),
  };
}

function filterOf(parameters: readonly z.output<typeof Parameter>[], operationId: string, queries: readonly NamedRecord[]) {
  const own = JSON.stringify(queryOf(parameters));
  const known = queries.find(({ schema }) => JSON.stringify(schema) === own);
  if (known === undefined) throw new Error(`${operationId}: its query has no name`);
  return { type: known.name, isOptional: known.schema.required.length === 0 };
}

function answerOf(source: string, schemas: Schemas): SdkCall['answer'] {
  const properties = schemas[source]?.properties ?? {};
  const item = source.endsWith('List') ? properties['items']?.items?.$ref : undefined;
  if (item === undefined) return { type: nameOf(source), shape: 'record' };
  return { type: nameOf(last(item)), shape: 'nextPageToken' in properties ? 'page' : 'items' };
}

/** The name of the schema of a JSON body. */
function sourceOf(content: z.output<typeof Content>, operationId: string): string {
  const name = content['application/json']?.schema.$ref;
  if (name === undefined) throw new Error(`${operationId}: a body that is not JSON, or has no name`);
  return last(name);
}

/** The name at the end of a reference. */
export const last = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** `CreateRefund` of the document is `NewRefund` here: it is a value, not an action. */
export const nameOf = (name: string): string => name.replace(/^(?:Create|Save)(?=[A-Z])/, 'New');

function eventName(all: readonly (readonly [string, Schema])[], type: string): string {
  const found = all.find(([, schema]) => schema.properties?.['type']?.const === type);
  if (found === undefined) throw new Error(`no schema has the type ${type}`);
  return found[0];
}

function queryOf(parameters: readonly z.output<typeof Parameter>[]): Schema {
  if (parameters.length === 0) throw new Error('a list has lost its query');
  return Schema.parse({
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, description, schema }) => [name, { description, ...schema }])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  });
}
