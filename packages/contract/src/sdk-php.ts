import { last, LISTS, nameOf, NESTED, OPEN, sdkDocument, type NamedRecord, type Schema, type SdkCall } from './sdk-document.ts';

const HEAD = `<?php

// Generated from packages/contract by \`node packages/contract/src/write-sdk-types.ts\`: change it there.

declare(strict_types=1);

namespace Pay\\Sdk;

`;

const ABOUT = ` * Every call of the API. Records are arrays with the names of the document. Every amount is a decimal string, because a float cannot
 * represent every amount. A POST without an \`$idempotencyKey\` gets a new one.
`;

/** \`sdks/php/src/Calls.php\`. */
export function sdkPhp(): string {
  const { queries, records, calls } = sdkDocument();
  const types = [...queries, ...records].flatMap((record) => declare(record));
  return `${HEAD}/**\n${ABOUT} *\n${types.map((type) => ` * ${type}\n`).join('')} */\nabstract class Calls\n{\n${RUN}\n${calls.flatMap((call) => methodsOf(call)).join('\n')}}\n`;
}

const RUN = `    /** @param array<string, mixed>|null $body */
    abstract protected function call(string $method, string $target, ?array $body = null, ?string $idempotencyKey = null, bool $amountIsNumber = false): array;

    abstract protected function text(string $target): string;
`;

function declare({ name, schema }: NamedRecord): string[] {
  const nested = Object.entries(NESTED)
    .filter(([path]) => nameOf(path.split('.')[0] ?? '') === name)
    .flatMap(([path, [itemName]]) => {
      const item = schema.properties?.[path.slice(path.indexOf('.') + 1)]?.items;
      return item === undefined ? [] : [`@phpstan-type ${itemName} ${shapeOf(item, itemName)}`];
    });
  return [...nested, `@phpstan-type ${name} ${shapeOf(schema, name)}`];
}

function shapeOf({ properties = {}, required }: Schema, name: string): string {
  const members = Object.entries(properties).map(
    ([member, schema]) => `${member}${required.includes(member) ? '' : '?'}: ${typeOf(schema, `${name}.${member}`)}`,
  );
  return `array{${members.join(', ')}}`;
}

function typeOf(schema: Schema, path: string): string {
  const { $ref, const: only, anyOf, type, enum: words } = schema;
  if ($ref !== undefined) return nameOf(last($ref));
  if (only !== undefined) return typeof only === 'string' ? `'${only}'` : String(only);
  if (words !== undefined) return wordsOf(words, path);
  const choices = anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (choices !== undefined) return choices.map((one) => typeOf(one, path)).join('|');
  if (type === 'array') return listOf(schema, path);
  return type === 'object' ? shapeOf(schema, path) : scalarOf(type, path);
}

function listOf({ items }: Schema, path: string): string {
  if (items === undefined) throw new Error(`${path}: a list of what?`);
  return `list<${NESTED[path]?.[0] ?? typeOf(items, path)}>`;
}

function scalarOf(type: unknown, path: string): string {
  switch (type) {
    case 'string':
    case 'null':
      return type;
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      // This member is the only one that the client reads as text.
      if (!path.endsWith('.amount')) throw new Error(`${path}: the client would make a float of this number`);
      return 'string';
    default:
      throw new Error(`${path}: no type for ${String(type)}`);
  }
}

/** A list that programs need at run time is text: a newer service may add to it. */
const wordsOf = (words: readonly string[], path: string): string =>
  OPEN.includes(path) || LISTS.some(([, , known]) => known.join() === words.join()) ? 'string' : words.map((word) => `'${word}'`).join('|');

type Method = {
  readonly name: string;
  readonly what: string;
  readonly doc: readonly string[];
  readonly given: readonly string[];
  readonly type: string;
  /** The expression that it returns. */
  readonly result: string;
};

function methodsOf(call: SdkCall): string[] {
  const { name, what, places, hasParts, answer } = call;
  const target = targetOf(call.path);
  const place = places.map((one) => `string $${one}`);
  const items = answer.shape === 'items' ? "['items']" : '';
  const methods: Method[] = [
    {
      name,
      what,
      doc: docOf(call),
      given: [...place, ...argumentsOf(call)],
      type: 'array',
      result: `$this->call(${passedBy(call)})${items}`,
    },
  ];
  if (hasParts) {
    const result = `$this->text(${target} . Wire::query(['format' => 'csv', 'part' => $part]))`;
    const csv = 'The same as the text of a CSV file';
    methods.push({
      name: `${name}Csv`,
      what: csv,
      doc: [],
      given: [...place, 'int $part = 1'],
      type: 'string',
      result,
    });
  }
  if (name === 'listCardPayments') {
    const result = `$this->call('GET', ${target} . Wire::query(['orderID' => $orderID]))['items'][0] ?? null`;
    const found = 'The payment or charge with this order number, if there is one';
    const doc = [`@return ${answer.type}|null`];
    methods.push({ name: 'findCardPayment', what: found, doc, given: ['string $orderID'], type: '?array', result });
  }
  return methods.map(define);
}

/** The path with its parameters, as an expression. */
const targetOf = (path: string): string =>
  `'${path.replace(/\{(\w+)\}/g, (_all, place: string) => `' . Wire::part($${place}) . '`)}'`.replace(/ \. ''$/, '');

function argumentsOf({ body, query, hasParts, takesKey }: SdkCall): string[] {
  return [
    ...(body === undefined ? [] : [`array $body${body.isOptional ? ' = []' : ''}`]),
    ...(query === undefined ? [] : [`array $query${query.isOptional ? ' = []' : ''}`]),
    ...(hasParts ? ['int $part = 1'] : []),
    ...(takesKey ? ['?string $idempotencyKey = null'] : []),
  ];
}

/** What the method passes on. */
function passedBy({ method, path, body, query, hasParts, takesKey }: SdkCall): string {
  const own = query !== undefined ? ' . Wire::query($query)' : hasParts ? " . Wire::query(['part' => $part])" : '';
  return [
    `'${method}'`,
    `${targetOf(path)}${own}`,
    ...(body === undefined ? [] : ['body: $body']),
    ...(takesKey ? ['idempotencyKey: $idempotencyKey'] : []),
    ...(body?.amountIsNumber === true ? ['amountIsNumber: true'] : []),
  ].join(', ');
}

function docOf({ body, query, answer: { type, shape } }: SdkCall): string[] {
  const returns = {
    record: type,
    items: `list<${type}>`,
    page: `array{items: list<${type}>, nextPageToken: string|null}`,
  };
  return [
    ...(body === undefined ? [] : [`@param ${body.type} $body`]),
    ...(query === undefined ? [] : [`@param ${query.type} $query`]),
    `@return ${returns[shape]}`,
  ];
}

function define({ name, what, doc, given, type, result }: Method): string {
  const lines = [`${what}.`, ...doc].map((line) => `     * ${line}\n`).join('');
  return `    /**\n${lines}     */\n    public function ${name}(${given.join(', ')}): ${type}\n    {\n        return ${result};\n    }\n`;
}
