import { z } from 'zod';
import type { schemas as Registry } from './registry.ts';

/** The building blocks of both documents: docs/openapi.json for partners, and the one for operators. */

export type Json = Readonly<Record<string, unknown>>;

/** What the parts of a path are, for both documents. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: 'The id of the payment',
  paymentId: 'The id of the payment',
  paymentPointID: 'The id of the payment point',
  paymentPointId: 'The id of the payment point',
  refundId: 'The id of the refund',
  eventId: 'The id of the event',
  bindingId: 'The id of the binding',
  consentId: 'The id of the consent',
  storeID: 'The id of the store',
  storeId: 'The id of the store',
  requestID: 'The id of the payout request',
  date: 'The day in UTC, such as 2026-11-22',
  partnerID: 'The id of the partner',
  partnerId: 'The id of the partner',
  keyId: 'The id of the key',
  proposalId: 'The id of the proposal',
  exceptionId: 'The id of the exception',
  routeId: 'The id of the acquiring route',
  method: 'What the point accepts: CARD or SBP_DYNAMIC_QR',
  deadLetterId: 'The id of the dead letter',
  beneficiaryRef: 'The reference of the recipient',
  fundingID: 'The id of the funding',
  replayId: 'The id of the replay',
};

/** Any text is let through: an id that names nothing is answered 404. */
export function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const description = PATH_PARAMETERS[name];
    if (description === undefined) throw new Error(`${name} of ${path} has no description`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
}

/** @throws Error if a parameter has no description */
export function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, {
    io: 'input',
    override: ({ jsonSchema }) => {
      sizeIntegers(jsonSchema);
    },
  });
  return Object.entries(properties).map(([name, property]) => {
    if (typeof property === 'boolean' || property.description === undefined) throw new Error(`${name} has no description`);
    const { description, ...schema } = property;
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

/** An error answer: its codes in order of precedence. */
export const describeErrors = (entries: readonly (readonly [code: string, { readonly text: string }])[]): string =>
  entries.map(([code, { text }]) => `${code}: ${text}`).join('. ');

/** The licence of the service, and so of its documents. */
export const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

/** JSON Schema 2020-12 of every named schema, by name. Requests and responses in their wire form. */
export function componentSchemas(schemas: typeof Registry): Json {
  const { schemas: made } = z.toJSONSchema(schemas, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const description = schemas.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description ??= description;
      nameMembers(jsonSchema);
      sizeIntegers(jsonSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(made)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, schema]) => [id, Object.fromEntries(Object.entries(schema).filter(([name]) => !['$schema', '$id', 'id'].includes(name)))]),
  );
}

const INT32_MAX = 2_147_483_647;

/** Generators make a 32-bit float of a number without a format, and of an integer without one 32 or 64 bits as they like. */
function sizeIntegers(made: z.core.JSONSchema.BaseSchema): void {
  if (Number.isInteger(made.const)) made.type = 'integer';
  if (made.type === 'integer') made.format = Number(made.const ?? made.maximum) <= INT32_MAX ? 'int32' : 'int64';
}

/** A record of known names says them twice, in `propertyNames` and `required`: generators and linters know `properties`. */
function nameMembers(made: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties, required } = made;
  if (propertyNames === undefined || additionalProperties === undefined || required === undefined) return;
  made.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  delete made.propertyNames;
  delete made.additionalProperties;
}
