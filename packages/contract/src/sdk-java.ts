import { docOf, indent, javaCalls, withoutStop } from './sdk-java-calls.ts';
import { last, LISTS, nameOf, NESTED, sdkDocument, type NamedRecord, type Schema, type SdkDocument } from './sdk-document.ts';

const HEAD = `// Generated from packages/contract by \`node packages/contract/src/write-sdk-types.ts\`: change it there.
package pay.sdk;
`;

const RECORDS = `
import java.math.BigDecimal;
import java.util.List;

/**
 * The records of the API. Every amount is a {@link BigDecimal}; timestamps are ISO 8601 UTC text. A member that a response does not have is
 * null.
 * Words such as statuses are text, because a newer service may send others; classes such as {@link PaymentStatus} have those of this
 * version.
 */
public final class Records {
    private Records() {}
`;

const EVENTS = `
import java.math.BigDecimal;
import java.util.Map;

/** An event that the service sends as a callback. One that this version does not know is an {@link UnknownEvent}. */
public sealed interface PartnerEvent {
    /** {@return the version of this format} */
    Integer schemaVersion();

    /** {@return the same in every delivery} */
    String eventId();

    /** {@return what happened, such as \`payment.completed\`} */
    String type();

    /** {@return a number that increases by one with every event of the same payment, binding or payout request} */
    Integer aggregateVersion();

    /** {@return when the event was made} */
    String createdAt();
`;

const UNKNOWN: Schema = {
  type: 'object',
  required: [],
  properties: Object.fromEntries(
    [
      ['schemaVersion', 'integer', 'The version of this format'],
      ['eventId', 'string', 'The same in every delivery'],
      ['type', 'string', 'What happened'],
      ['aggregateVersion', 'integer', 'Increases by one with every event of the same aggregate'],
      ['createdAt', 'string', 'When the event was made'],
      ['data', 'map', 'What it is about, with numbers as {@link BigDecimal}'],
    ].map(([name = '', type, description]) => [name, { type, description, required: [] }]),
  ),
};

/** The sources of `sdks/java` that are made from the document, by the name of their class. */
export function sdkJava(): Readonly<Record<'Records' | 'PartnerEvent' | 'Calls', string>> {
  const document = sdkDocument();
  const { queries, records, events, eventNames, errorCodes, calls } = document;
  const sent = sentRecords(document);
  const words = [
    ...LISTS.map(([, word, known, what]) => declareWords(word, known, what)),
    declareWords('ErrorCode', errorCodes, 'The code of an error. A newer service may send others.'),
  ];
  const declared = [...queries, ...records].map((record) => declareRecord(record, { sent }));
  const known = events.map((record) => declareRecord(record, { sent, implements: 'PartnerEvent' }));
  const what = 'An event of a type that this version does not know.';
  const unknown = declareRecord({ name: 'UnknownEvent', what, schema: UNKNOWN }, { sent, implements: 'PartnerEvent' });
  return {
    Records: `${HEAD}${RECORDS}\n${indent([...words, ...declared].join('\n'))}}\n`,
    PartnerEvent: `${HEAD}${EVENTS}\n${indent([...known, unknown, recordByType(events, eventNames)].join('\n'))}}\n`,
    Calls: HEAD + javaCalls(calls),
  };
}

/** The records that a partner makes: bodies, queries, and what is in them. Each gets a builder. */
function sentRecords({ queries, records, calls }: SdkDocument): ReadonlySet<string> {
  const all = [...queries, ...records];
  const found = new Set([...queries.map(({ name }) => name), ...calls.flatMap(({ body }) => body?.type ?? [])]);
  for (const name of found) {
    const properties = all.find((one) => one.name === name)?.schema.properties ?? {};
    for (const [member, { $ref, items }] of Object.entries(properties)) {
      if ($ref !== undefined) found.add(nameOf(last($ref)));
      const nested = NESTED[`${name}.${member}`]?.[0] ?? (items?.$ref === undefined ? undefined : nameOf(last(items.$ref)));
      if (nested !== undefined) found.add(nested);
    }
  }
  return found;
}

const AMOUNT = 'Rubles; on the wire the JSON number with exactly these digits';

type Options = { readonly sent: ReadonlySet<string>; readonly implements?: string };

type Component = {
  readonly name: string;
  readonly type: string;
  readonly what: string;
  /** What a builder starts with: a member that is required and has one value. */
  readonly start: string | undefined;
};

function declareRecord({ name, what, schema }: NamedRecord, options: Options): string {
  const components = Object.entries(schema.properties ?? {}).map(([member, own]) => componentOf(member, own, schema, name));
  const inner = Object.entries(schema.properties ?? {}).flatMap(([member, own]) => {
    const named = NESTED[`${name}.${member}`];
    if (named !== undefined && own.items !== undefined) return [];
    return own.type === 'object' && own.properties !== undefined
      ? [declareRecord({ name: capital(member), what: describe(own), schema: own }, { sent: options.sent })]
      : [];
  });
  const beside = Object.entries(NESTED).flatMap(([path, [itemName, itemWhat]]) => {
    const [owner = '', member = ''] = path.split('.');
    const item = nameOf(owner) === name ? schema.properties?.[member]?.items : undefined;
    return item === undefined ? [] : [declareRecord({ name: itemName, what: itemWhat, schema: item }, options)];
  });
  const body = [...inner, ...(options.sent.has(name) ? [builderOf(name, components)] : [])];
  const head = `public record ${name}(\n${components.map((one) => `    ${one.type} ${one.name}`).join(',\n')}\n)${options.implements === undefined ? '' : ` implements ${options.implements}`} {`;
  const doc = docOf(
    what ?? `A record of type ${name}`,
    components.map((one) => `@param ${one.name} ${one.what}`),
  );
  return [...beside, `${doc}${head}${body.length === 0 ? '}\n' : `\n${indent(body.join('\n'))}}\n`}`].join('\n');
}

function componentOf(name: string, schema: Schema, { required }: Schema, owner: string): Component {
  const { const: only, enum: words } = schema;
  const type = typeOf(schema, `${owner}.${name}`);
  const listed = LISTS.find(([, , known]) => known.join() === words?.join())?.[1];
  const oneOf =
    words === undefined
      ? ''
      : listed === undefined
        ? `: ${words.join(', ')}`
        : `: one of {@link ${owner.endsWith('Event') || owner === 'Data' ? 'Records.' : ''}${listed}}`;
  const what = schema.type === 'number' && only === undefined ? AMOUNT : `${withoutStop(describe(schema) ?? name)}${oneOf}`;
  return { name, type, what: text(what), start: required.includes(name) && only !== undefined ? JSON.stringify(only) : undefined };
}

function typeOf(schema: Schema, path: string): string {
  const { $ref, const: only, anyOf, type, items } = schema;
  if ($ref !== undefined) return nameOf(last($ref));
  if (only !== undefined) return CONSTANTS[typeof only] ?? 'String';
  const choices = anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (choices !== undefined) return typeOf(onlyOneOf(choices, path), path);
  if (type === 'array') return `List<${NESTED[path]?.[0] ?? typeOf(items ?? { required: [] }, path)}>`;
  return type === 'object' ? capital(path.slice(path.lastIndexOf('.') + 1)) : scalarOf(schema, path);
}

function onlyOneOf(choices: readonly Schema[], path: string): Schema {
  const [choice, ...others] = choices.filter((one) => one.type !== 'null');
  if (choice === undefined || others.length > 0) throw new Error(`${path}: Java has no type that is one of several`);
  return choice;
}

function scalarOf(schema: Schema, path: string): string {
  const scalar = isDecimal(schema) ? 'BigDecimal' : SCALARS[String(schema.type)];
  if (scalar === undefined) throw new Error(`${path}: no type for ${String(schema.type)}`);
  return scalar;
}

const CONSTANTS: Readonly<Record<string, string>> = { string: 'String', number: 'Integer', boolean: 'Boolean' };
const SCALARS: Readonly<Record<string, string>> = {
  string: 'String',
  boolean: 'Boolean',
  integer: 'Integer',
  null: 'String',
  map: 'Map<String, Object>',
};

/** A number that has a fraction, or text whose pattern admits a decimal and no word. */
function isDecimal({ type, pattern }: Schema): boolean {
  if (type === 'number') return true;
  if (type !== 'string' || pattern === undefined) return false;
  const matches = (one: string) => new RegExp(pattern).test(one);
  return (matches('1.00') || matches('1.000000')) && !matches('a');
}

function builderOf(name: string, components: readonly Component[]): string {
  const setters = components.flatMap((one) => {
    const set = (type: string, body: string) =>
      `${docOf(one.what, ['@param value the value', '@return this builder'])}public Builder ${one.name}(${type} value) {\n    ${body}\n}\n`;
    const own = set(one.type, `this.${one.name} = value;\n    return this;`);
    const byText = set('String', `return ${one.name}(Wire.decimal("${one.name}", value));`);
    return one.type === 'BigDecimal' ? [own, byText] : [own];
  });
  const fields = components.map((one) => `private ${one.type} ${one.name}${one.start === undefined ? '' : ` = ${one.start}`};\n`);
  const build = `/** {@return the record} */\npublic ${name} build() {\n    return new ${name}(${components.map((one) => one.name).join(', ')});\n}\n`;
  return `/** {@return a builder} */\npublic static Builder builder() {\n    return new Builder();\n}\n\n/** Builds a {@link ${name}}. */\npublic static final class Builder {\n${indent([fields.join(''), 'private Builder() {}\n', ...setters, build].join('\n'))}}\n`;
}

function declareWords(name: string, words: readonly string[], what: string): string {
  const constants = words.map(
    (word) => `/** {@value}. */\npublic static final String ${word.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()} = "${word}";\n`,
  );
  return `${docOf(what, [])}public static final class ${name} {\n${indent([`private ${name}() {}\n`, ...constants].join('\n'))}}\n`;
}

function recordByType(events: readonly NamedRecord[], names: readonly string[]): string {
  const cases = names.map((name) => {
    const type = events.find((one) => one.name === name)?.schema.properties?.['type']?.const;
    return `        case ${JSON.stringify(type)} -> ${name}.class;\n`;
  });
  return `${docOf('The record of an event', ['@param type its type', '@return the class; {@link UnknownEvent} for a type that this version does not know'])}static Class<? extends PartnerEvent> recordOf(String type) {\n    return switch (type) {\n${cases.join('')}        default -> UnknownEvent.class;\n    };\n}\n`;
}

const describe = ({ description, anyOf }: Schema): string | undefined =>
  description ?? anyOf?.find((one) => one.description !== undefined)?.description;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Text in a comment of Java, which reads it as HTML. */
const text = (sentence: string): string =>
  sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('*/', '*&#47;');
