import { last, LISTS, nameOf, NESTED, sdkDocument, type NamedRecord, type Schema, type SdkCall } from './sdk-document.ts';
import { comment, commentOfMethod, commentOfType, exported, unexported, wordName } from './sdk-go-names.ts';

const HEAD = '// Code generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`. DO NOT EDIT.\n\npackage pay\n';

/** `records.go`, `events.go` and `calls.go` of `sdks/go`, as gofmt formats them. */
export function sdkGo(): { readonly records: string; readonly events: string; readonly calls: string } {
  const { queries, records, events, errorCodes, calls } = sdkDocument();
  const words = [
    ...LISTS.map(([, word, known, what]) => declareWords(word, known, what)),
    declareWords('ErrorCode', errorCodes, 'The code of an error. A newer service may send others.'),
  ];
  const structs = new Structs(new Map(records.map(({ source, what }) => [source, what])));
  for (const { name, what, schema } of records) structs.declare(exported(name), what ?? name, schema);
  return {
    records: [HEAD, 'import "time"\n', ...words, ...queries.map(declareQuery), ...structs.texts].join('\n'),
    events: eventsOf(events),
    calls: [HEAD, 'import "context"\n', ...calls.flatMap(methodsOf)].join('\n'),
  };
}

function declareWords(list: string, words: readonly string[], what: string): string {
  const names = words.map((word) => exported(list) + wordName(word));
  const width = Math.max(...names.map(({ length }) => length));
  const rows = words.map((word, at) => `\t${(names[at] ?? '').padEnd(width)} ${exported(list)} = "${word}"\n`);
  return `${commentOfType(exported(list), what)}\ntype ${exported(list)} string\n\n// The values of ${exported(list)} that this version knows.\nconst (\n${rows.join('')})\n`;
}

/** The page is asked for last, whatever the order of the document. */
const isOfPage = (name: string): boolean => name === 'limit' || name === 'pageToken';

function declareQuery({ name, what, schema }: NamedRecord): string {
  const entries = Object.entries(schema.properties ?? {});
  const sorted = [...entries.filter(([one]) => !isOfPage(one)), ...entries.filter(([one]) => isOfPage(one))];
  const type = exported(name);
  const members = sorted.map(([member, own]) => `${linesOf(sentencesOf(own))}\t${exported(member)} ${queryType(own)}\n`);
  const pairs = sorted.map(([member, own]) => `\t\tparameter{"${member}", ${queryText(own, `q.${exported(member)}`)}},\n`);
  return `${commentOfType(type, what ?? name)}\ntype ${type} struct {\n${members.join('')}}\n\nfunc (q ${type}) encode() string {\n\treturn queryOf(\n${pairs.join('')}\t)\n}\n`;
}

function queryType(schema: Schema): string {
  if (schema.enum !== undefined) return wordsOf(schema.enum);
  return schema.type === 'integer' ? 'int' : schema.format === 'date-time' ? 'time.Time' : 'string';
}

function queryText(schema: Schema, value: string): string {
  const type = queryType(schema);
  if (type === 'int') return `numberText(${value})`;
  return type === 'time.Time' ? `momentText(${value})` : type === 'string' ? value : `string(${value})`;
}

/** The type of an enumeration; one without a name is text. */
function wordsOf(words: readonly string[]): string {
  const list = LISTS.find(([, , known]) => known.join() === words.join());
  return list === undefined ? 'string' : exported(list[1]);
}

const AMOUNT = 'Rubles; on the wire the JSON number with exactly these digits';

/** What the document says of a member, and the words of an enumeration that has no type. */
function sentencesOf(schema: Schema): string[] {
  if (schema.type === 'number' && schema.const === undefined) return [AMOUNT];
  const choice = [schema, ...(schema.anyOf ?? [])];
  const said = choice.find(({ description }) => description !== undefined)?.description;
  const words = choice.find(({ enum: known }) => known !== undefined)?.enum;
  const listed = words === undefined || wordsOf(words) !== 'string' ? [] : [`One of ${words.join(', ')}`];
  return [...(said === undefined ? [] : [said.replace(/\.$/, '')]), ...listed];
}

const linesOf = (sentences: readonly string[]): string => (sentences.length === 0 ? '' : `\t${comment(sentences.join('. '))}\n`);

/** The structs of a file: a record within a record has one of its own. */
class Structs {
  readonly texts: string[] = [];

  /** What each record is, by its name in the document. */
  readonly described: ReadonlyMap<string, string | undefined>;

  constructor(described: Structs['described']) {
    this.described = described;
  }

  declare(name: string, what: string, schema: Schema): void {
    const members = Object.entries(schema.properties ?? {}).map(([member, own]) => {
      const isRequired = schema.required.includes(member);
      const type = this.memberType(own, name, member, isRequired);
      const referred = own.$ref === undefined ? undefined : this.described.get(last(own.$ref));
      const optional = name.startsWith('New') && !isRequired ? ['Optional'] : [];
      const said = sentencesOf(own);
      const about = said.length > 0 || referred === undefined ? said : [referred.replace(/\.$/, '')];
      return `${linesOf([...optional, ...about])}\t${exported(member)} ${type} \`json:"${member}${isRequired ? '' : ',omitempty'}"\`\n`;
    });
    this.texts.push(`${commentOfType(name, what)}\ntype ${name} struct {\n${members.join('')}}\n`);
  }

  /** What may be null is a pointer, and so is what may be left out, if its zero value would be sent or means something. */
  memberType(schema: Schema, owner: string, member: string, isRequired: boolean): string {
    const choices = schema.anyOf ?? (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]);
    const [own, ...others] = choices.filter(({ type }) => type !== 'null');
    if (own === undefined) return '*string'; // Always null.
    if (others.length > 0) throw new Error(`${owner}.${member}: Go has no type for a choice`);
    const type = this.typeOf(own, owner, member);
    const isEmptyable = /^(?:string|int|bool|Amount|NumberAmount|USDT)$/.test(type) || own.enum !== undefined;
    const needsPointer = !isRequired && !isEmptyable && (!type.startsWith('[]') || owner.startsWith('New'));
    return choices.length > 1 || needsPointer ? `*${type}` : type;
  }

  typeOf(schema: Schema, owner: string, member: string): string {
    const { $ref, const: only, type, enum: words, items } = schema;
    if ($ref !== undefined) return exported(nameOf(last($ref)));
    if (typeof only === 'boolean') return 'bool';
    if (words !== undefined) return wordsOf(words);
    if (type === 'array') return `[]${this.itemOf(items, owner, member)}`;
    if (type === 'object') return this.nested(`${owner}${exported(member)}`, `The ${member} of ${owner}`, schema);
    return scalarOf(schema, owner, member);
  }

  itemOf(items: Schema | undefined, owner: string, member: string): string {
    if (items === undefined) throw new Error(`${owner}.${member}: a list of what?`);
    const named = Object.entries(NESTED).find(([path]) => exported(path.replace('.', ' ')) === owner + exported(member));
    return named === undefined ? this.typeOf(items, owner, member) : this.nested(exported(named[1][0]), named[1][1], items);
  }

  nested(name: string, what: string, schema: Schema): string {
    this.declare(name, what, schema);
    return name;
  }
}

function scalarOf({ type, format, pattern }: Schema, owner: string, member: string): string {
  switch (type) {
    case 'string':
      return format === 'date-time' ? 'time.Time' : amountOf(pattern);
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      // This member is the only one that is read and written by its digits; the others are constants.
      if (member === 'schemaVersion') return 'int';
      if (member !== 'amount') throw new Error(`${owner}.${member}: the client would make a float of this number`);
      return owner.startsWith('New') ? 'NumberAmount' : 'Amount';
    default:
      throw new Error(`${owner}.${member}: no type for ${String(type)}`);
  }
}

/** Rubles have two digits after the point, USDT has up to six, and nothing else in the document has. */
function amountOf(pattern = ''): string {
  if (pattern.includes('\\.\\d{2}')) return 'Amount';
  return /\\\.\\d\{(?:1,)?6\}/.test(pattern) ? 'USDT' : 'string';
}

/** The data of each event, and the function that makes an empty one for a type. */
function eventsOf(events: readonly NamedRecord[]): string {
  const structs = new Structs(new Map());
  const cases = events.map(({ name, what, schema: { properties = {} } }) => {
    const type = String(properties['type']?.const);
    const { data } = properties;
    if (data === undefined) throw new Error(`${name}: an event without data`);
    const own = `${exported(name)}Data`;
    structs.declare(own, `The data of ${type}. ${what ?? ''}`.trimEnd(), data);
    return `\tcase EventType${wordName(type)}:\n\t\treturn new(${own})\n`;
  });
  const factory = `// A pointer to the empty data of a type, or nil for a type that this version does not know.\nfunc newEventData(eventType EventType) any {\n\tswitch eventType {\n${cases.join('')}\t}\n\treturn nil\n}\n`;
  return [HEAD, 'import "time"\n', factory, ...structs.texts].join('\n');
}

function methodsOf(call: SdkCall): string[] {
  const { name, what, hasParts, query, answer } = call;
  const own = exported(name);
  const given = argumentsOf(call);
  const text = query !== undefined ? ' + query.encode()' : hasParts ? ' + queryOf(parameter{"part", numberText(part)})' : '';
  const about = commentOfMethod(own, hasParts ? `${what}. Parts are numbered from 1` : what);
  const methods = [{ about, name: own, given, type: returned(answer), result: resultOf(call, text) }];
  if (hasParts) {
    const csv = `${own}CSV`;
    const target = `${targetOf(call.path)}+queryOf(parameter{"format", "csv"}, parameter{"part", numberText(part)})`;
    const same = `// ${csv} gets the same as the text of a CSV file.`;
    methods.push({ about: same, name: csv, given, type: 'string', result: `c.csv(ctx, ${target})` });
  }
  if (name === 'listCardPayments') {
    const target = `${targetOf(call.path)}+queryOf(parameter{"orderID", orderID})`;
    const finds = '// FindCardPayment finds the payment or charge with this order number. It returns nil if there is none.';
    const found = { about: finds, name: 'FindCardPayment', given: ['orderID string'] };
    methods.push({ ...found, type: `*${exported(answer.type)}`, result: `first[${exported(answer.type)}](ctx, c, ${target})` });
  }
  return methods.map(define);
}

type Method = {
  readonly about: string;
  readonly name: string;
  readonly given: readonly string[];
  readonly type: string;
  /** An expression of the type and an error. */
  readonly result: string;
};

function define({ about, name, given, type, result }: Method): string {
  const taken = ['ctx context.Context', ...given].join(', ');
  return `${about}\nfunc (c *Client) ${name}(${taken}) (${type}, error) {\n\treturn ${result}\n}\n`;
}

const argumentsOf = ({ places, body, query, hasParts, takesKey }: SdkCall): string[] => [
  ...places.map((place) => `${unexported(place)} string`),
  ...(body === undefined ? [] : [`body ${exported(body.type)}`]),
  ...(query === undefined ? [] : [`query ${exported(query.type)}`]),
  ...(hasParts ? ['part int'] : []),
  ...(takesKey ? ['options ...CallOption'] : []),
];

const returned = ({ type, shape }: SdkCall['answer']): string =>
  ({ record: `*${exported(type)}`, page: `*ListPage[${exported(type)}]`, items: `[]${exported(type)}` })[shape];

function resultOf({ method, path, body, takesKey, answer: { type, shape } }: SdkCall, query: string): string {
  const target = `${targetOf(path)}${query}`.replaceAll(' + ', '+');
  if (shape === 'items') return `items[${exported(type)}](ctx, c, ${target})`;
  const record = shape === 'page' ? `ListPage[${exported(type)}]` : exported(type);
  return `call[${record}](ctx, c, "${method}", ${target}, ${body === undefined ? 'nil' : 'body'}, ${takesKey ? 'options' : 'nil'})`;
}

/** The path with its parameters, as an expression. */
const targetOf = (path: string): string =>
  `"${path.replace(/\{(\w+)\}/g, (_all, place: string) => `"+escape(${unexported(place)})+"`)}"`.replace(/\+""$/, '');
