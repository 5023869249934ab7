import { z } from 'zod';
import { schemas } from '../registry.ts';

/** The named schemas of the operator API: `#/components/schemas` of the operator API's document. */
export const operatorSchemas = z.registry<{ id: string; description: string }>();

/** Gives a schema of the operator API its name and description. */
export function namedForOperators<T extends z.ZodType>(id: string, description: string, schema: T): T {
  operatorSchemas.add(schema, { id, description });
  return schema;
}

/** A schema of the partner API that operators see unchanged, under the same name. */
export function sharedWithPartners<T extends z.ZodType>(schema: T): T {
  const known = schemas.get(schema);
  if (known === undefined) throw new Error('the partner API does not name this schema');
  operatorSchemas.add(schema, known);
  return schema;
}
