import { z } from 'zod';
import { EVENTS } from './events.ts';
import { EXTRA_EVENTS } from './extra-events.ts';
import { openApiDocument } from './openapi.ts';
import { RETRY_ADVICE } from './retry-advice.ts';
import * as states from './states.ts';

/** A JSON Schema of the document: the parts that determine a type. */
const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.string()).optional(),
  description: z.string().optional(),
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
type Schema = z.output<typeof Schema>;

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
});
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), parameters: z.array(Parameter).default([]) })),
  ),
  webhooks: z.record(z.string(), z.unknown()),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

/** Enumerations that programs also need at run time: name of the list, name of the type, the values, the description. */
const LISTS: readonly (readonly [list: string, word: string, words: readonly string[], what: string])[] = [
  ['PAYMENT_STATUSES', 'PaymentStatus', states.PAYMENT_STATUSES, 'The status of a payment.'],
  ['FAILED_STATUSES', 'FailedStatus', states.FAILED_STATUSES, 'The final statuses of a payment in which no money was taken.'],
  ['PAYMENT_METHODS', 'PaymentMethod', states.PAYMENT_METHODS, 'How a payment is made.'],
  ['FAILURE_CODES', 'FailureCode', states.FAILURE_CODES, 'Why a payment ended with no money taken. A newer service may send others.'],
  ['RETRY_ADVICE', 'RetryAdvice', RETRY_ADVICE, 'Whether a declined charge may be retried: never with this card, later (schemes limit how often), or at any time.'],
  ['REFUND_STATUSES', 'RefundStatus', states.REFUND_STATUSES, 'The status of a refund.'],
  ['REFUND_FAILURE_CODES', 'RefundFailureCode', states.REFUND_FAILURE_CODES, 'Why a refund failed: the codes of payments, and one more.'],
  ['POINT_STATUSES', 'PointStatus', states.POINT_STATUSES, 'The status of a payment point.'],
  ['POINT_METHODS', 'PointMethod', states.POINT_METHODS, 'What a payment point accepts; charges of saved cards use CARD.'],
  ['BINDING_STATUSES', 'BindingStatus', states.BINDING_STATUSES, 'The status of a saved card.'],
  ['CHARGE_PERIODS', 'ChargePeriod', states.CHARGE_PERIODS, 'The maximum frequency at which a saved card may be charged.'],
  ['WITHDRAWAL_STATUSES', 'WithdrawalStatus', states.WITHDRAWAL_STATUSES, 'The status of a payout request.'],
  ['EVENT_STATUSES', 'EventStatus', states.EVENT_STATUSES, 'The delivery status of an event. NOT_CONFIGURED: stored and not sent until a replay is requested.'],
  ['EVENT_TYPES', 'EventType', Object.keys(EVENTS), 'The type of an event. A newer service may send others.'],
  ['EXTRA_EVENTS', 'ExtraEvent', EXTRA_EVENTS, 'Events that are sent only if enabled.'],
]; // prettier-ignore

/** Nested records that have a name of their own. */
const NESTED: Readonly<Record<string, readonly [name: string, what: string]>> = {
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
const OPEN = ['CallbackEvent.type', 'CallbackEventStory.type', 'CallbackAttempt.failure', 'EventFilter.type'];

/** Members that are present all together or not at all. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  RecurringConsent: ['capture', 'reference', 'version', 'acceptedAt', 'evidenceHash'],
};

/** Said once at the top of the file, so left out of members. */
const SAID_ABOVE = ['ISO 8601 UTC with milliseconds'];

const HEAD = `// Generated from packages/contract by \`node packages/contract/src/write-sdk-types.ts\`: change it there.
`;

/** \`packages/sdk/src/types.ts\` and \`packages/sdk/src/events.ts\`: the document's records as the SDK returns them. */
export function sdkTypes(): { readonly types: string; readonly events: string } {
  const { paths, webhooks, components } = Document.parse(openApiDocument());
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const all = Object.entries(components.schemas);
  const isEvent = (name: string) => name.endsWith('Event') && name !== 'CallbackEvent';
  const records = all.filter(([name]) => !/List$|^Error$/.test(name) && !isEvent(name));
  const codes = components.schemas['Error']?.properties?.['code']?.enum ?? [];
  const queries = Object.entries(QUERIES).map(([operationId, [name, what]]) => {
    const parameters = operations.find((one) => one.operationId === operationId)?.parameters ?? [];
    return declare(name, what, queryOf(parameters.filter((one) => one.in === 'query')));
  });
  const types = [
    HEAD,
    RECORDS,
    ...LISTS.map(([list, word, words, what]) => declareList(list, word, words, what)),
    declareList('ERROR_CODES', 'ErrorCode', codes, 'The code of an error. A newer service may send others.'),
    PAGE,
    ...queries,
    ...records.flatMap(([name, schema]) => declareRecord(name, schema)),
  ];
  const events = all.filter(([name]) => isEvent(name)).map(([name, schema]) => declare(name, schema.description, schema)); // prettier-ignore
  const names = Object.keys(webhooks).map((type) => eventName(all, type));
  const imported = LISTS.map(([, word]) => word).filter((word) => new RegExp(`\\b${word}\\b`).test(events.join('')));
  return {
    types: types.join('\n'),
    events: [
      HEAD,
      `import type { ${imported.join(', ')} } from './types.ts';\n`,
      ...events,
      declareUnion('WithdrawalEvent', 'The current status of a payout request. Sent if enabled in `extraEvents`.', names.filter((name) => /^Withdrawal(?!Register)/.test(name))), // prettier-ignore
      declareUnion('PartnerEvent', 'Every event that this version knows. A newer service may send others: add a default branch.', names), // prettier-ignore
    ].join('\n'),
  };
}

const RECORDS = `/**
 * The records of the API as this client returns them: as on the wire, except that every amount is a decimal string,
 * because a JavaScript number cannot represent every amount. Timestamps are ISO 8601 UTC strings.
 */
`;

const PAGE = `/** A page of a list, newest first. */
export type ListPage<Item> = {
  readonly items: readonly Item[];
  /** Pass it as \`pageToken\` of the next call; null on the last page. */
  readonly nextPageToken: string | null;
};
`;

/** `CreateRefund` of the document is `NewRefund` here: it is a value, not an action. */
const nameOf = (name: string): string => name.replace(/^(?:Create|Save)(?=[A-Z])/, 'New');

function eventName(all: readonly (readonly [string, Schema])[], type: string): string {
  const found = all.find(([, schema]) => schema.properties?.['type']?.const === type);
  if (found === undefined) throw new Error(`no schema has the type ${type}`);
  return found[0];
}

function queryOf(parameters: readonly z.output<typeof Parameter>[]): Schema {
  if (parameters.length === 0) throw new Error('a list has lost its query');
  return Schema.parse({
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { description, ...schema }]),
    ),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  });
}

function declareRecord(name: string, schema: Schema): string[] {
  const nested = Object.entries(NESTED)
    .filter(([path]) => path.startsWith(`${name}.`))
    .map(([path, [itemName, what]]) => {
      const item = schema.properties?.[path.slice(name.length + 1)]?.items;
      if (item === undefined) throw new Error(`${path} is no list`);
      return declare(itemName, what, item);
    });
  return [...nested, declare(nameOf(name), schema.description, schema)];
}

function declare(name: string, what: string | undefined, schema: Schema): string {
  const together = TOGETHER[name];
  const type =
    together === undefined
      ? typeOf(schema, name, '')
      : `${typeOf(without(schema, together), name, '')} | ${typeOf({ ...schema, required: [...schema.required, ...together] }, name, '')}`;
  return `${docOf(what, '')}export type ${name} = ${type};\n`;
}

function without({ properties = {}, ...schema }: Schema, names: readonly string[]): Schema {
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))) }; // prettier-ignore
}

function declareList(list: string, word: string, words: readonly string[], what: string): string {
  return `${docOf(what, '')}export const ${list} = [\n${words.map((one) => `  '${one}',\n`).join('')}] as const;\nexport type ${word} = (typeof ${list})[number];\n`;
}

function declareUnion(name: string, what: string, members: readonly string[]): string {
  return `${docOf(what, '')}export type ${name} =${members.map((member) => `\n  | ${member}`).join('')};\n`;
}

/** The type of a schema; `path` is its place, such as `Refund.amount`. */
function typeOf(schema: Schema, path: string, indent: string): string {
  const { $ref, const: only, anyOf, type, enum: words } = schema;
  if ($ref !== undefined) return nameOf($ref.slice($ref.lastIndexOf('/') + 1));
  if (only !== undefined) return typeof only === 'string' ? `'${only}'` : String(only);
  if (words !== undefined) return wordsOf(words, path);
  const choices = anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (choices !== undefined) return choices.map((one) => typeOf(one, path, indent)).join(' | ');
  if (type === 'object') return membersOf(schema, path, indent);
  return type === 'array' ? arrayOf(schema, path, indent) : scalarOf(schema, path);
}

function arrayOf({ items }: Schema, path: string, indent: string): string {
  if (items === undefined) throw new Error(`${path}: a list of what?`);
  const item = NESTED[path]?.[0] ?? typeOf(items, path, indent);
  return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function scalarOf({ type }: Schema, path: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'number':
      // This member is the only one that the client reads as text.
      if (!path.endsWith('.amount')) throw new Error(`${path}: the client would make a double of this number`);
      return 'string';
    default:
      throw new Error(`${path}: no type for ${String(type)}`);
  }
}

function wordsOf(words: readonly string[], path: string): string {
  if (OPEN.includes(path)) return 'string';
  const list = LISTS.find(([, , known]) => known.join() === words.join());
  return list?.[1] ?? words.map((word) => `'${word}'`).join(' | ');
}

function membersOf({ properties = {}, required }: Schema, path: string, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const place = `${path}.${name}`;
    const optional = required.includes(name) ? '' : '?';
    return `${docOf(describe(schema, place), inner)}${inner}readonly ${name}${optional}: ${typeOf(schema, place, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

/** The document's description of a member, with its maximum length or value. */
function describe(schema: Schema, path: string): string | undefined {
  if (schema.type === 'number' && path.endsWith('.amount')) return AMOUNT;
  const said = schema.description ?? schema.anyOf?.find(({ description }) => description !== undefined)?.description;
  const sentences = [said, limitOf(schema)].filter((one) => one !== undefined && !SAID_ABOVE.includes(one));
  return sentences.length === 0 ? undefined : sentences.join('. ');
}

const AMOUNT = "Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits";

function limitOf({ type, maxLength, minimum, maximum }: Schema): string | undefined {
  if (maxLength !== undefined) return `At most ${String(maxLength)} characters`;
  const isBounded = type === 'integer' && minimum !== undefined && maximum !== undefined && maximum < 1e6;
  return isBounded ? `${String(minimum)} to ${String(maximum)}` : undefined;
}

const WIDTH = 120;

/** A docstring, wrapped to the line width. */
function docOf(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const sentence = text.endsWith('.') ? text : `${text}.`;
  if (indent.length + sentence.length + '/**  */'.length <= WIDTH) return `${indent}/** ${sentence} */\n`;
  const lines = [''];
  for (const word of sentence.split(' ')) {
    const line = `${lines.pop() ?? ''} ${word}`;
    if (indent.length + ' *'.length + line.length <= WIDTH) lines.push(line);
    else lines.push(line.slice(0, -word.length - 1), ` ${word}`);
  }
  return `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join('')}${indent} */\n`;
}
