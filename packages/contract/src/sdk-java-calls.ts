import type { SdkCall } from './sdk-document.ts';

const CALLS = `
import java.util.List;
import java.util.Optional;
import pay.sdk.Records.*;

/** Every call of the API. A POST without an {@code idempotencyKey} gets a new one. */
public abstract class Calls {
    Calls() {}

    abstract <T> T get(String target, Class<T> type);

    abstract <T> T send(String method, String target, byte[] body, String idempotencyKey, Class<T> type);

    abstract <T> ListPage<T> page(String target, Class<T> item);

    abstract <T> List<T> items(String target, Class<T> item);

    abstract String csv(String target);

`;

/** The body of the class that has every call. */
export const javaCalls = (calls: readonly SdkCall[]): string => `${CALLS}${indent(calls.flatMap((call) => methodsOf(call)).join('\n'))}}\n`;

type Argument = { readonly name: string; readonly type: string; readonly what: string; readonly left: string | undefined };
type Method = {
  readonly name: string;
  readonly what: string;
  readonly given: readonly Argument[];
  readonly type: string;
  readonly returns: string;
  readonly result: string;
};

function methodsOf(call: SdkCall): string[] {
  const { name, what, method, query, hasParts, answer } = call;
  const own = targetOf(call.path);
  const target = query !== undefined ? `${own} + Wire.query(query)` : hasParts ? `${own} + Wire.query("part", part)` : own;
  const read = { record: 'get', page: 'page', items: 'items' }[answer.shape];
  const type = { record: answer.type, page: `ListPage<${answer.type}>`, items: `List<${answer.type}>` }[answer.shape];
  const returns = { record: 'the record', page: 'one page', items: 'all of them' }[answer.shape];
  const result = method === 'GET' ? `${read}(${target}, ${answer.type}.class)` : sentBy(call, target);
  const methods: Method[] = [{ name, what, given: argumentsOf(call), type, returns, result }];
  if (hasParts) {
    methods.push({
      name: `${name}Csv`,
      what: 'The same as the text of a CSV file',
      given: argumentsOf(call),
      type: 'String',
      returns: 'the text',
      result: `csv(${own} + Wire.query("format", "csv", "part", part))`,
    });
  }
  if (name === 'listCardPayments') {
    methods.push({
      name: 'findCardPayment',
      what: 'Find the payment or charge with this order number',
      given: [{ name: 'orderID', type: 'String', what: 'your order number', left: undefined }],
      type: `Optional<${answer.type}>`,
      returns: 'the payment, if there is one',
      result: `page(${own} + Wire.query("orderID", orderID), ${answer.type}.class).items().stream().findFirst()`,
    });
  }
  return methods.flatMap(overloads);
}

const KEY = 'saved before the call, so that a repeat does nothing twice';

function argumentsOf({ places, body, query, hasParts, takesKey }: SdkCall): Argument[] {
  const given = (name: string, type: string, what: string, left?: string): Argument => ({ name, type, what, left });
  return [
    ...places.map((place) => given(place, 'String', 'as in the path')),
    ...(body === undefined ? [] : [given('body', body.type, 'the request', body.isOptional ? 'null' : undefined)]),
    ...(query === undefined ? [] : [given('query', query.type, 'what to list', query.isOptional ? 'null' : undefined)]),
    ...(hasParts ? [given('part', 'int', 'from 1', '1')] : []),
    ...(takesKey ? [given('idempotencyKey', 'String', KEY, 'null')] : []),
  ];
}

function sentBy({ method, body, takesKey, answer }: SdkCall, target: string): string {
  const bytes = body === undefined ? 'Wire.NOTHING' : `Wire.body(body, ${String(body.amountIsNumber)})`;
  return `send("${method}", ${target}, ${bytes}, ${takesKey ? 'idempotencyKey' : 'null'}, ${answer.type}.class)`;
}

/** The whole method, and one without each trailing argument that may be left out. */
function overloads({ name, what, given, type, returns, result }: Method): string[] {
  const define = (count: number, body: string) => {
    const own = given.slice(0, count);
    const doc = docOf(what, [...own.map((one) => `@param ${one.name} ${one.what}`), `@return ${returns}`]);
    return `${doc}public ${type} ${name}(${own.map((one) => `${one.type} ${one.name}`).join(', ')}) {\n    return ${body};\n}\n`;
  };
  const shorter = given.flatMap((one, at) =>
    one.left === undefined
      ? []
      : [
          define(
            at,
            `${name}(${[...given.slice(0, at).map((before) => before.name), ...given.slice(at).map((left) => left.left)].join(', ')})`,
          ),
        ],
  );
  return [...shorter, define(given.length, result)];
}

const targetOf = (path: string): string =>
  `"${path.replace(/\{(\w+)\}/g, (_all, place: string) => `" + Wire.part(${place}) + "`)}"`.replace(/ \+ ""$/, '');

/** Without its full stop. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** A comment of Java. */
export function docOf(what: string, tags: readonly string[]): string {
  const sentence = `${withoutStop(what)}.`;
  if (tags.length === 0) return `/** ${sentence} */\n`;
  return `/**\n * ${sentence}\n *\n${tags.map((tag) => ` * ${tag}\n`).join('')} */\n`;
}

/** One step further in. */
export const indent = (code: string): string => code.replace(/^(?=.)/gm, '    ');
