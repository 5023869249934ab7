import { and, eq, gt, gte, lt, lte, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { PartnerId } from '../identities/identities.ts';
import { PART_LINES } from './register.ts';

/** Selects registers; `from` is included, `to` is not; `before`: the last one of the previous page. */
export type RegisterFilter = {
  readonly partnerId: PartnerId;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: string | undefined;
};

/** The rows of a table of registers that match a filter. */
export function matchesRegister(
  columns: { readonly partnerId: AnyPgColumn; readonly day: AnyPgColumn },
  { partnerId, from, to, before }: RegisterFilter,
): SQL | undefined {
  return and(
    eq(columns.partnerId, partnerId),
    from === undefined ? undefined : gte(columns.day, from),
    to === undefined ? undefined : lt(columns.day, to),
    before === undefined ? undefined : lt(columns.day, before),
  );
}

/** The lines of one part of a register; parts are counted from 1. */
export function isInPart(
  columns: { readonly registerId: AnyPgColumn; readonly line: AnyPgColumn },
  registerId: string,
  part: number,
): SQL | undefined {
  const last = part * PART_LINES;
  return and(eq(columns.registerId, registerId), gt(columns.line, last - PART_LINES), lte(columns.line, last));
}
