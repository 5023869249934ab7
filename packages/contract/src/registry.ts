import { z } from 'zod';

/** The named schemas, by their names in `#/components/schemas` of the OpenAPI document. */
export const schemas = z.registry<{ id: string; description: string }>();

/** Gives a schema its name and description. */
export function named<T extends z.ZodType>(id: string, description: string, schema: T): T {
  schemas.add(schema, { id, description });
  return schema;
}
