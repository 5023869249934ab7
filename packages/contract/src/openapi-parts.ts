import { z } from 'zod';
import type { schemas as Registry } from './registry.ts';

/** The building blocks of both documents: docs/openapi.json for partners, docs/openapi-operators.json for operators. */

export type Json = Readonly<Record<string, unknown>>;

export function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

export function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** JSON Schema 2020-12 of every named schema, by name. Requests and responses in their wire form. */
export function componentSchemas(schemas: typeof Registry): Json {
  const { schemas: made } = z.toJSONSchema(schemas, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const description = schemas.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description ??= description;
    },
  });
  return Object.fromEntries(
    Object.entries(made)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, schema]) => [
        id,
        Object.fromEntries(Object.entries(schema).filter(([name]) => !['$schema', '$id', 'id'].includes(name))),
      ]),
  );
}
