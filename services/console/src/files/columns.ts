import { z } from 'zod';
import type { Column } from '@pay/shared/csv/csv.ts';

// The columns of a file, written as the fields of what a service answers.

const numbers = z.registry<{ readonly decimals: number }>();

export const text = z.string();
export const maybe = z.string().nullish();
/** Rubles as text, a number in a file. */
export const rubles = z.string().register(numbers, { decimals: 2 });
export const maybeRubles = z.string().nullish().register(numbers, { decimals: 2 });
export const usdt = z.string().register(numbers, { decimals: 6 });
export const count = z.int().transform(String).register(numbers, { decimals: 0 });

/** A row: each field is a cell. */
export type Item = z.ZodObject<Record<string, z.ZodType<string | null | undefined>>>;

export const columnsOf = (item: Item): Column[] =>
  Object.entries(item.shape).map(([name, schema]) => ({ name, decimals: numbers.get(schema)?.decimals }));
