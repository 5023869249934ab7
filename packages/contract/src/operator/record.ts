import { z } from 'zod';
import { nextPageToken } from '../fields.ts';

type ReadonlyJson<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyJson<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadonlyJson<T[Name]> }
    : T;

/** A record of the operator API: rendered by a service, read by the console. */
export type RecordOf<Schema extends z.ZodType> = ReadonlyJson<z.output<Schema>>;

/** All rows, or the newest ones. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), nextPageToken });
