import type { RequestHandler } from 'express';
import type { z } from 'zod';
import type { PartnerId } from '../identities/identities.ts';
import { csvLine } from '../csv/csv.ts';
import type { Reader } from '../postgres/db.ts';
import { ApiError } from '../errors/api-error.ts';
import { partnerOf } from '../http/caller.ts';
import { day } from '../http/fields.ts';
import { readPosition, writePosition } from '../http/list-page.ts';
import type { PageTokens } from '../http/page-token.ts';
import { validateQuery } from '../http/validate.ts';
import { endOfDay, startOfDay } from '../time/day.ts';
import type { RegisterFilter } from './register-rows.ts';
import { CLOSING_MINUTES, partsOf, type ClosedDay } from './register.ts';

type Deps = { readonly db: Reader; readonly pageTokens: PageTokens };
/** Members of a response, cells of a row. */
type RegisterFields = Readonly<Record<string, string | number | null>>;

type ListQuery = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly pageToken?: string | undefined;
};
type PartQuery = { readonly format: 'json' | 'csv'; readonly part: number };

/** The registers of one ledger as a partner reads them. */
export type RegisterView<Register extends ClosedDay, Line> = {
  readonly currency: 'RUB' | 'USDT';
  /** The contract's schemas: this package must not import it. */
  readonly queries: { readonly list: z.ZodType<ListQuery>; readonly part: z.ZodType<PartQuery> };
  /** Newest first. */
  readonly list: (reader: Reader, filter: RegisterFilter, limit: number) => Promise<Register[]>;
  readonly find: (reader: Reader, partnerId: PartnerId, day: string) => Promise<Register | undefined>;
  readonly listLines: (reader: Reader, registerId: string, part: number) => Promise<Line[]>;
  /** Balances and the movements between them. */
  readonly renderSums: (register: Register) => RegisterFields;
  readonly renderLine: (line: Line) => RegisterFields;
  /** Columns of the CSV. Their order is fixed; new ones come last. */
  readonly columns: readonly string[];
  /** The balance rows at either end of the CSV, by column. */
  readonly opening: (register: Register) => RegisterFields;
  readonly closing: (register: Register) => RegisterFields;
};

/**
 * GET /api/registers/{currency}: the closed days, newest first, from the day `from` (included) to `to` (not included).
 */
export function listRegistersRoute<Register extends ClosedDay, Line>(deps: Deps, view: RegisterView<Register, Line>): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const { from, to, limit, pageToken } = validateQuery(view.queries.list, req.url);
    const scope = ['registers', partnerId, from, to];
    const before = readPosition(deps.pageTokens, pageToken, scope)?.id;
    // One more than requested shows whether there is a next page.
    const found = await view.list(deps.db, { partnerId, from, to, before }, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > items.length ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: startOfDay(last.day), id: last.day };
    res.json({
      items: items.map((register) => renderRegister(view, register)),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    });
  };
}

const NO_REGISTER = `there is no register of this day: one is made ${String(CLOSING_MINUTES)} minutes after a day (UTC) has ended`;

/**
 * GET /api/registers/{currency}/{date}: a part of a closed day, as JSON or CSV. 404 for an invalid day and a day that
 * is not closed.
 */
export function getRegisterRoute<Register extends ClosedDay, Line>(deps: Deps, view: RegisterView<Register, Line>): RequestHandler {
  return async (req, res) => {
    const { format, part } = validateQuery(view.queries.part, req.url);
    const date = day.safeParse(req.params['date']);
    const register = date.success ? await view.find(deps.db, partnerOf(res), date.data) : undefined;
    if (register === undefined || part > partsOf(register)) throw new ApiError('NOT_FOUND', { text: NO_REGISTER });
    const lines = await view.listLines(deps.db, register.registerId, part);
    if (format === 'csv') res.type('text/csv').send(renderCsv(view, register, part, lines));
    else res.json({ ...renderRegister(view, register), part, items: lines.map(view.renderLine) });
  };
}

function renderRegister<Register extends ClosedDay>(
  view: Pick<RegisterView<Register, never>, 'currency' | 'renderSums'>,
  register: Register,
): RegisterFields {
  return {
    date: register.day,
    currency: view.currency,
    ...view.renderSums(register),
    lines: register.lineCount,
    parts: partsOf(register),
    madeAt: register.madeAt.toISOString(),
  };
}

/** The first part begins with the opening balance, the last one ends with the closing balance. */
function renderCsv<Register extends ClosedDay, Line>(
  view: RegisterView<Register, Line>,
  register: Register,
  part: number,
  lines: readonly Line[],
): string {
  const row = (fields: RegisterFields) => {
    const cells: RegisterFields = { ...fields, currency: view.currency };
    return csvLine(view.columns.map((column) => String(cells[column] ?? '')));
  };
  const balanceRow = (type: string, at: Date, balances: RegisterFields) => row({ bookedAt: at.toISOString(), type, ...balances });
  return [
    csvLine(view.columns),
    ...(part === 1 ? [balanceRow('OPENING_BALANCE', startOfDay(register.day), view.opening(register))] : []),
    ...lines.map((line) => row(view.renderLine(line))),
    ...(part === partsOf(register) ? [balanceRow('CLOSING_BALANCE', endOfDay(register.day), view.closing(register))] : []),
  ].join('');
}
