import type { z } from 'zod';

/** A JSON number may be written from its own digits. */
type Written<T> = T extends number
  ? T | RawJson
  : T extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Written<T[Name]> }
      : T;

/** What is written where a schema describes the wire: the type of every renderer. */
export type Wire<Schema extends z.ZodType> = Written<z.input<Schema>>;
