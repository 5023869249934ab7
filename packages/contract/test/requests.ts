import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { z } from 'zod';
import type { Operation } from '../src/api/operation.ts';
import { openApiDocument } from '../src/openapi.ts';
import { schemas } from '../src/registry.ts';

/** A JSON Schema of the document: the keywords that its requests use. */
export type Schema = {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
};
const Schema: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  uniqueItems: z.boolean().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
});

const document = openApiDocument();
const Parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: Schema });
const { components, paths } = z
  .object({
    components: z.object({ schemas: z.record(z.string(), Schema) }),
    paths: z.record(z.string(), z.record(z.string(), z.object({ parameters: z.array(Parameter).default([]) }))),
  })
  .parse(document);

/** The named schema of a request of the document. */
export const nameOf = (request: z.ZodType): string => schemas.get(request)?.id ?? '';

/** A schema of the document, references followed. */
export function schemaOf(schema: Schema | string): Schema {
  if (typeof schema === 'string') return schemaOf({ $ref: `#/components/schemas/${schema}` });
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`${schema.$ref} leads nowhere`);
  return found;
}

const ajv = new Ajv2020({ strict: false });
for (const format of ['double', 'int32', 'int64', 'uri', 'date', 'date-time', 'uuid']) ajv.addFormat(format, true);
ajv.addSchema({ $id: 'document', ...document });

/** Whether the document allows a body, as a validator judges it. */
export const judge = (name: string): ValidateFunction => ajv.compile({ $ref: `document#/components/schemas/${name}` });

/** The query parameters of an operation, as an object schema. */
export function queryOf({ path, method }: Operation): Schema {
  const parameters = (paths[path]?.[method]?.parameters ?? []).filter((one) => one.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Bodies that the document allows, in its keywords and in its words. */
export const bodiesOf = (name: string): fc.Arbitrary<unknown> => arbitrary(schemaOf(name), name);

/** Values of a schema. `name` is that of the schema, or of its member. */
export function arbitrary(given: Schema, name: string): fc.Arbitrary<unknown> {
  const schema = schemaOf(given);
  const named = given.$ref === undefined ? name : given.$ref.slice(given.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6 });
    case 'number': // Rubles: at most two digits after the point.
      return fc.integer({ min: 1, max: 100_000_000 }).map((kopecks) => kopecks / 100);
    case 'array':
      return fc.uniqueArray(arbitrary(schema.items ?? {}, `${named}[]`), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case 'object':
      return recordOf(schema, named);
    default:
      return textOf(schema);
  }
}

function recordOf({ properties = {}, required = [] }: Schema, name: string): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, arbitrary(one, key)]));
  const record = fc.record(members, { requiredKeys: [...required] });
  const mend = MENDED[name];
  return mend === undefined ? record : record.map(mend);
}

function textOf({ format, pattern, minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true });
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return moments.map((at) => at.toISOString());
  if (format === 'date') return moments.map((at) => at.toISOString().slice(0, 10));
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (pattern === undefined) return fc.string({ unit: LETTER, minLength, maxLength });
  const isFree = pattern.startsWith('^[^');
  if (isFree) return fc.string({ unit: LETTER, minLength: 1, maxLength });
  return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
}

/** No digits: what looks like the number of a card is refused, as the document says in words. */
const LETTER = fc.constantFrom('a', 'Z', 'ж', 'é', '日', '🍵', '.', '_', '-');

type Members = Record<string, unknown>;
const isPresent = (value: unknown): boolean => value !== undefined;

/** What the document says with conditions, or in words: members that go together, and amounts that add up. */
const MENDED: Readonly<Record<string, (value: Members) => Members>> = {
  RecurringConsent: ({ period, ...evidence }) => (Object.keys(evidence).length === 5 ? { period, ...evidence } : { period }),
  CreateCardPayment: ({ savePaymentMethod: _saves, recurringConsent, ...rest }) =>
    summed(isPresent(recurringConsent) ? { ...rest, recurringConsent, savePaymentMethod: true } : rest),
  CreateQrPayment: (body) => summed(body),
  CreateRefund: (body) => summed(body),
  CreateRecurringPayment: (body) => summed(body),
  Receipt: ({ ffdVersion, items, email = 'a@shop.example', ...rest }) => ({
    ...rest,
    email,
    ...(isPresent(ffdVersion) ? { ffdVersion } : {}),
    items: (Array.isArray(items) ? items : []).map((item: Members) => ofVersion(item, ffdVersion)),
  }),
};

function ofVersion({ measurementUnit = 'PIECE', ...item }: Members, ffdVersion: unknown): Members {
  const own = { ...item, quantity: '1', amount: item['price'] };
  if (ffdVersion !== '1.2') return own;
  return { ...own, measurementUnit, paymentObject: 'COMMODITY' };
}

/** The body with an amount that is the sum of its receipt, if it has one. */
function summed(body: Members): Members {
  const { receipt } = body;
  if (typeof receipt !== 'object' || receipt === null || !('items' in receipt) || !Array.isArray(receipt.items)) return body;
  let kopecks = 0n;
  for (const item of receipt.items as Members[]) kopecks += BigInt(String(item['amount']).replace('.', ''));
  const text = `${String(kopecks / 100n)}.${String(kopecks % 100n).padStart(2, '0')}`;
  return isPresent(body['amount']) ? { ...body, amount: typeof body['amount'] === 'number' ? Number(text) : text } : body;
}
