import { last, LISTS, nameOf, NESTED, OPEN, sdkDocument, type Schema, type SdkCall } from './sdk-document.ts';

const HEAD = '# Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.\n';

const RECORDS = `"""The records of the API. \`\`amount\`\` of a card or QR payment is a Decimal, every other amount the text of one.

Timestamps are ISO 8601 UTC text.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")


class ListPage(TypedDict, Generic[Item]):
    """A page of a list, newest first."""

    items: list[Item]
    #: Pass it as \`pageToken\` of the next call; None on the last page.
    nextPageToken: str | None

`;

const CALLS = `"""Every call of the API, for blocking code and for asyncio."""

from __future__ import annotations

from typing import TypeVar

from .amounts import body_of
from .call import Call, csv_text, first_item, items_of, part_of, query_of
from .records import (
`;

/** `records.py` and `calls.py` of `sdks/python/src/pay_sdk`. */
export function sdkPython(): { readonly records: string; readonly calls: string } {
  const { queries, records, events, eventNames, errorCodes, calls } = sdkDocument();
  const words = [
    ...LISTS.map(([, word, known, what]) => declareWords(word, known, what)),
    declareWords('ErrorCode', errorCodes, 'The code of an error. A newer service may send others.'),
  ];
  const classes = new Classes();
  for (const { name, what, schema } of [...queries, ...records, ...events]) classes.declare(name, what, schema);
  const union = `#: Every event that this version knows. A newer service may send others.\nPartnerEvent = (\n    ${eventNames.join('\n    | ')}\n)\n`;
  return {
    records: [HEAD + RECORDS, words.join('\n'), ...classes.texts, union].join('\n'),
    calls: `${HEAD}${CALLS}${recordsOf(calls)
      .map((name) => `    ${name},\n`)
      .join('')})\n${RUNNER}\n\n${clientOf(calls, BLOCKING)}\n\n${clientOf(calls, AWAITED)}`,
  };
}

const RUNNER = '\nT = TypeVar("T")\n';

/** What differs between the two clients. */
type Flavor = { readonly name: string; readonly what: string; readonly define: string; readonly run: string };
const BLOCKING: Flavor = { name: 'BlockingCalls', what: 'Each call blocks.', define: 'def', run: 'self._run' };
const AWAITED: Flavor = {
  name: 'AwaitedCalls',
  what: 'Each call is awaited.',
  define: 'async def',
  run: 'await self._run',
};

const clientOf = (calls: readonly SdkCall[], flavor: Flavor): string =>
  `class ${flavor.name}:
    """${flavor.what} A POST without an \`idempotency_key\` gets a new one."""

    ${flavor.define} _run(self, call: Call[T]) -> T:
        raise NotImplementedError

${calls.flatMap((call) => methodsOf(call, flavor)).join('\n')}`;

function methodsOf(call: SdkCall, flavor: Flavor): string[] {
  const { name, what, path, answer, hasParts, query } = call;
  const place = targetOf(path);
  const given = argumentsOf(call);
  const own = hasParts ? '{query_of({"part": part})}' : query === undefined ? '' : '{query_of(query)}';
  const read = answer.shape === 'items' ? 'items_of' : undefined;
  const method = { name: snake(name), what, given, type: returned(answer), target: `${place}${own}`, read };
  const others = [];
  if (hasParts) {
    const target = `${place}{query_of({"format": "csv", "part": part})}`;
    const csv = 'The same as the text of a CSV file.';
    others.push({ name: `${snake(name)}_csv`, what: csv, given, type: 'str', target, read: 'csv_text' });
  }
  if (name === 'listCardPayments') {
    const target = `${place}{query_of({"orderID": order_id})}`;
    const found = 'The payment or charge with this order number, if there is one.';
    const type = `${answer.type} | None`;
    others.push({ name: 'find_card_payment', what: found, given: ['order_id: str'], type, target, read: 'first_item' });
  }
  return [method, ...others].map((one) => define(one, call, flavor));
}

type Method = {
  readonly name: string;
  readonly what: string;
  readonly given: readonly string[];
  readonly type: string;
  readonly target: string;
  /** How its response is read, if it is no record. */
  readonly read: string | undefined;
};

function define({ name, what, given, type, target, read }: Method, call: SdkCall, flavor: Flavor): string {
  const passed = [
    `"${call.method}"`,
    target.includes('{') ? `f'${target}'` : `"${target}"`,
    ...(call.body === undefined ? [] : [`body=${bodyOf(call.body)}`]),
    ...(call.takesKey ? ['idempotency_key=idempotency_key'] : []),
    ...(read === undefined ? [] : [`read=${read}`]),
  ];
  return `    ${flavor.define} ${name}(${['self', ...given].join(', ')}) -> ${type}:
        ${docOf(what)}
        return ${flavor.run}(Call[${type}](${passed.join(', ')}))
`;
}

function argumentsOf({ places, body, query, hasParts, takesKey }: SdkCall): string[] {
  return [
    ...places.map((place) => `${snake(place)}: str`),
    ...(body === undefined ? [] : [body.isOptional ? `body: ${body.type} | None = None` : `body: ${body.type}`]),
    ...(query === undefined ? [] : [query.isOptional ? `query: ${query.type} | None = None` : `query: ${query.type}`]),
    ...(hasParts ? ['part: int = 1'] : []),
    ...(takesKey ? ['*', 'idempotency_key: str | None = None'] : []),
  ];
}

const bodyOf = ({ isOptional, amountIsNumber }: NonNullable<SdkCall['body']>): string =>
  `body_of(body${isOptional ? ' or {}' : ''}, amount_is_number=${amountIsNumber ? 'True' : 'False'})`;

const targetOf = (path: string): string => path.replace(/\{(\w+)\}/g, (_all, place: string) => `{part_of(${snake(place)})}`);

const returned = ({ type, shape }: SdkCall['answer']): string =>
  shape === 'record' ? type : shape === 'page' ? `ListPage[${type}]` : `list[${type}]`;

const recordsOf = (calls: readonly SdkCall[]): string[] =>
  [...new Set(calls.flatMap(({ answer, body, query }) => [answer.type, body?.type ?? '', query?.type ?? '', 'ListPage']))]
    .filter((name) => name !== '')
    .sort((a, b) => (a < b ? -1 : 1));

/** `paymentPointID` is `payment_point_id`. */
export const snake = (name: string): string =>
  name.replace(/([a-z])([A-Z]+)/g, (_all, a: string, b: string) => `${a}_${b.toLowerCase()}`).toLowerCase();

function declareWords(name: string, words: readonly string[], what: string): string {
  return `${commentOf(what, '')}${name} = Literal[\n${words.map((word) => `    "${word}",\n`).join('')}]\n`;
}

const KEYWORDS = ['from'];
const AMOUNT = 'Rubles; on the wire the JSON number with exactly these digits';

const describe = ({ description, anyOf }: Schema): string | undefined =>
  description ?? anyOf?.find((one) => one.description !== undefined)?.description;

/** The classes of a module: a record within a record has one of its own. */
class Classes {
  readonly texts: string[] = [];

  declare(name: string, what: string | undefined, schema: Schema): void {
    const members = Object.entries(schema.properties ?? {}).map(([member, own]) => ({
      member,
      what: own.type === 'number' && member === 'amount' ? AMOUNT : describe(own),
      type: this.typeOf(own, name, member),
      isRequired: schema.required.includes(member),
    }));
    const doc = what === undefined ? '' : `    ${docOf(what)}\n\n`;
    if (members.some(({ member }) => KEYWORDS.includes(member))) {
      const entries = members.map(
        ({ member, type, isRequired }) => `        "${member}": "${isRequired ? type : `NotRequired[${type}]`}",\n`,
      );
      this.texts.push(
        `${what === undefined ? '' : commentOf(what, '')}${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`,
      );
      return;
    }
    const lines = members.map(
      (one) =>
        `${one.what === undefined ? '' : commentOf(one.what, '    ')}    ${one.member}: ${one.isRequired ? one.type : `NotRequired[${one.type}]`}\n`,
    );
    this.texts.push(`\nclass ${name}(TypedDict):\n${doc}${lines.join('')}`);
  }

  typeOf(schema: Schema, owner: string, member: string): string {
    const { $ref, const: only, anyOf, type, enum: words, items } = schema;
    const path = `${owner}.${member}`;
    if ($ref !== undefined) return nameOf(last($ref));
    if (only !== undefined) return `Literal[${typeof only === 'boolean' ? (only ? 'True' : 'False') : JSON.stringify(only)}]`;
    if (words !== undefined) return wordsOf(words, path);
    const choices = anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
    if (choices !== undefined) return choices.map((one) => this.typeOf(one, owner, member)).join(' | ');
    if (type === 'array') return `list[${this.itemOf(items, path)}]`;
    if (type === 'object') return this.nested(`${owner}${capital(member)}`, undefined, schema);
    return scalarOf(type, owner, member);
  }

  itemOf(items: Schema | undefined, path: string): string {
    if (items === undefined) throw new Error(`${path}: a list of what?`);
    const [owner = '', member = ''] = path.split('.');
    const named = NESTED[path];
    return named === undefined ? this.typeOf(items, owner, member) : this.nested(named[0], named[1], items);
  }

  nested(name: string, what: string | undefined, schema: Schema): string {
    this.declare(name, what, schema);
    return name;
  }
}

function scalarOf(type: unknown, owner: string, member: string): string {
  const isNew = owner.startsWith('New');
  switch (type) {
    case 'string':
      return isNew && member === 'amount' ? 'Decimal | str' : 'str';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'integer':
      return 'int';
    case 'number':
      // This member is the only one that the client reads and writes by its digits.
      if (member !== 'amount') throw new Error(`${owner}.${member}: the client would make a float of this number`);
      return isNew ? 'Decimal | str' : 'Decimal';
    default:
      throw new Error(`${owner}.${member}: no type for ${String(type)}`);
  }
}

function wordsOf(words: readonly string[], path: string): string {
  if (OPEN.includes(path)) return 'str';
  const list = LISTS.find(([, , known]) => known.join() === words.join());
  return list?.[1] ?? `Literal[${words.map((word) => `"${word}"`).join(', ')}]`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const docOf = (text: string): string => `"""${text.endsWith('.') ? text : `${text}.`}"""`;

const commentOf = (text: string, indent: string): string => `${indent}#: ${text.endsWith('.') ? text : `${text}.`}\n`;
