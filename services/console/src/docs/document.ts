import { z } from 'zod';

// An OpenAPI document, as far as its pages show it.

const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  enum: z.array(z.union([z.string(), z.null()])).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  default: z.json().optional(),
  examples: z.array(z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});
export type Schema = z.output<typeof Schema>;

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: Schema,
});
export type Parameter = z.output<typeof Parameter>;

const Body = z.object({ schema: Schema, example: z.unknown().optional() });
const Response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), Body).default({}),
});
export type Response = z.output<typeof Response>;

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).min(1),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: z.record(z.string(), Body) }).optional(),
  responses: z.record(z.string(), Response).default({}),
});
export type Operation = z.output<typeof Operation>;

const Paths = z.record(z.string(), z.record(z.string(), Operation));

export const ApiDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: Paths,
  webhooks: Paths.default({}),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
export type ApiDocument = z.output<typeof ApiDocument>;

/** An operation with its place. `path` is the name of the event for a callback. */
export type Placed = {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly isCallback: boolean;
};

/** The operations of the document by tag, in the order of its tags. */
export function byTag({ tags, paths, webhooks }: ApiDocument) {
  const place = (from: ApiDocument['paths'], isCallback: boolean): Placed[] =>
    Object.entries(from).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ operation, method: method.toUpperCase(), path, isCallback })),
    );
  const all = [...place(paths, false), ...place(webhooks, true)];
  return tags.map((tag) => ({ tag, operations: all.filter(({ operation }) => operation.tags[0] === tag.name) }));
}
