import type { z } from 'zod';

/** A JSON number, which may be written from its exact digits. */
type Written<T> = T extends number
  ? T | RawJson
  : T extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Written<T[Name]> }
      : T;

/** The wire form of a schema's value: what every renderer returns. */
export type Wire<Schema extends z.ZodType> = Written<z.input<Schema>>;
