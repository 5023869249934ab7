import { typedTexts } from '@pay/shared/content/typed-text.ts';
import { z } from 'zod';

/** The path of a text in the JSON of a request: field names, and 0 for the first element of a list. */
export type JsonPath = readonly (string | 0)[];

type Node = z.core.JSONSchema._JSONSchema;

/** The paths of a request's free-text fields: read from the schema, so that new fields are found without being listed. */
export function typedTextsOf(request: z.ZodType): readonly JsonPath[] {
  return stringsOf(request).flatMap(({ path, isTyped }) => (isTyped ? [path] : []));
}

/** Where a request accepts any string that is not free text: no enumeration, no format, no pattern but of what it may not have. */
export function otherStringsOf(request: z.ZodType): readonly JsonPath[] {
  return stringsOf(request).flatMap(({ path, isTyped, isAny }) => (isAny && !isTyped ? [path] : []));
}

/** A request that has only `text`, at `path`. */
export function requestWith(path: JsonPath, text: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return text;
  const inner = requestWith(rest, text);
  return first === 0 ? [inner] : { [first]: inner };
}

type Found = { readonly path: JsonPath; readonly isTyped: boolean; readonly isAny: boolean };

const TYPED = 'x-typed';

function stringsOf(request: z.ZodType): readonly Found[] {
  const schema = z.toJSONSchema(request, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodString && typedTexts.get(zodSchema) !== undefined) jsonSchema[TYPED] = true;
    },
  });
  return [...stringsIn(schema, [])];
}

function* stringsIn(node: Node, path: JsonPath): Generator<Found, undefined> {
  if (typeof node === 'boolean') return;
  if (node.type === 'string') {
    const form = node.pattern?.startsWith('^[^') === true ? undefined : node.pattern;
    const isAny = [node.enum, node.const, node.format, form, node.allOf].every((rule) => rule === undefined);
    yield { path, isTyped: node[TYPED] === true, isAny };
  }
  for (const [name, inner] of Object.entries(node.properties ?? {})) yield* stringsIn(inner, [...path, name]);
  for (const inner of [node.items ?? []].flat()) yield* stringsIn(inner, [...path, 0]);
  for (const inner of [...(node.anyOf ?? []), ...(node.allOf ?? [])]) yield* stringsIn(inner, path);
}
