import { last, LISTS, nameOf, NESTED, OPEN, sdkDocument, type Schema, type SdkDocument } from './sdk-document.ts';

/** Members that are present all together or not at all. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  RecurringConsent: ['capture', 'reference', 'version', 'acceptedAt', 'evidenceHash'],
};

/** Said once at the top of the file, so left out of members. */
const SAID_ABOVE = ['ISO 8601 UTC with milliseconds'];

const HEAD = `// Generated from packages/contract by \`node packages/contract/src/write-sdk-types.ts\`: change it there.
`;

/** `packages/sdk/src/types.ts` and `packages/sdk/src/events.ts`: the document's records as the SDK returns them. */
export function sdkTypes(): { readonly types: string; readonly events: string } {
  const { queries, records, events: eventRecords, eventNames, errorCodes } = sdkDocument();
  const types = [
    HEAD,
    RECORDS,
    ...LISTS.map(([list, word, words, what]) => declareList(list, word, words, what)),
    declareList('ERROR_CODES', 'ErrorCode', errorCodes, 'The code of an error. A newer service may send others.'),
    PAGE,
    ...queries.map(({ name, what, schema }) => declare(name, what, schema)),
    ...records.flatMap((record) => declareRecord(record)),
  ];
  const events = eventRecords.map(({ name, what, schema }) => declare(name, what, schema));
  const imported = LISTS.map(([, word]) => word).filter((word) => new RegExp(`\\b${word}\\b`).test(events.join('')));
  return {
    types: types.join('\n'),
    events: [
      HEAD,
      `import type { ${imported.join(', ')} } from './types.ts';\n`,
      ...events,
      declareUnion(
        'WithdrawalEvent',
        'The current status of a payout request. Sent if enabled in `extraEvents`.',
        eventNames.filter((name) => /^Withdrawal(?!Register)/.test(name)),
      ),
      declareUnion(
        'PartnerEvent',
        'Every event that this version knows. A newer service may send others: add a default branch.',
        eventNames,
      ),
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

function declareRecord({ source, name, what: own, schema }: SdkDocument['records'][number]): string[] {
  const nested = Object.entries(NESTED)
    .filter(([path]) => path.startsWith(`${source}.`))
    .map(([path, [itemName, what]]) => {
      const item = schema.properties?.[path.slice(source.length + 1)]?.items;
      if (item === undefined) throw new Error(`${path} is no list`);
      return declare(itemName, what, item);
    });
  return [...nested, declare(name, own, schema)];
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
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))) };
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
  if ($ref !== undefined) return nameOf(last($ref));
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
