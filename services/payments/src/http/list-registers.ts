import type { RequestHandler } from 'express';
import { z } from 'zod';
import { csvLine } from '@pay/shared/csv/csv.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderSignedRub } from '@pay/shared/money/money.ts';
import { findRegister, listRegisterLines, listRegisters } from '../db/registers.ts';
import type { ApiDeps } from '../deps.ts';
import { endOfDay, startOfDay } from '../domain/reconciliation.ts';
import { CLOSING_MINUTES, partsOf, type Register, type RegisterLine } from '../domain/register.ts';
import { limit, pageToken } from './fields.ts';

const day = z.iso.date('must be a day such as 2026-11-22');
const ListQuery = z.strictObject({ from: day.optional(), to: day.optional(), limit, pageToken: pageToken.optional() });

/** GET /api/registers/RUB: the closed days, newest first; from the day `from` on, and before `to`. */
export function listRegistersRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { partnerId } = callerOf(res);
    const { from, to, limit: count, pageToken: token } = validate(ListQuery, { ...req.query });
    const scope = ['registers', partnerId, from, to];
    const before = readPosition(deps.pageTokens, token, scope)?.id;
    // One more than asked for says whether there is a next page.
    const found = await listRegisters(deps.db, { partnerId, from, to, before }, count + 1);
    const items = found.slice(0, count);
    const last = found.length > items.length ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: startOfDay(last.day), id: last.day };
    res.json({ items: items.map(renderRegister), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

const PartQuery = z.strictObject({
  format: z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json'),
  part: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .default('1')
    .transform(Number),
});

const NO_REGISTER = `there is no register of this day: one is made ${String(CLOSING_MINUTES)} minutes after a day (UTC) has ended`;

/** GET /api/registers/RUB/{date}: a part of a closed day, as JSON or CSV. What is no day, and a day that is not closed, is not there. */
export function getRegisterRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { format, part } = validate(PartQuery, { ...req.query });
    const date = day.safeParse(req.params['date']);
    const register = date.success ? await findRegister(deps.db, callerOf(res).partnerId, date.data) : undefined;
    if (register === undefined || part > partsOf(register)) throw new ApiError('NOT_FOUND', { text: NO_REGISTER });
    const lines = await listRegisterLines(deps.db, register.registerId, part);
    if (format === 'csv') res.type('text/csv').send(renderCsv(register, part, lines));
    else res.json({ ...renderRegister(register), part, items: lines.map(renderLine) });
  };
}

function renderRegister(register: Register): Readonly<Record<string, unknown>> {
  return {
    date: register.day,
    currency: 'RUB',
    openingBalance: renderSignedRub(register.openingKopecks),
    payments: renderSignedRub(register.paymentsKopecks),
    recurringCharges: renderSignedRub(register.chargesKopecks),
    refunds: renderSignedRub(register.refundsKopecks),
    fees: renderSignedRub(register.feesKopecks),
    closingBalance: renderSignedRub(register.closingKopecks),
    lines: register.lineCount,
    parts: partsOf(register),
    madeAt: register.madeAt.toISOString(),
  };
}

function renderLine(line: RegisterLine) {
  return {
    line: line.line,
    bookedAt: line.bookedAt.toISOString(),
    type: line.type,
    orderId: line.paymentId,
    merchantOrderId: line.merchantOrderId,
    refundId: line.refundId,
    merchantRefundId: line.merchantRefundId,
    paymentPointID: line.paymentPointId,
    paymentMethod: line.method,
    amount: renderSignedRub(line.amountKopecks),
    fee: renderSignedRub(line.feeKopecks),
    net: renderSignedRub(line.amountKopecks + line.feeKopecks),
    balance: renderSignedRub(line.balanceKopecks),
  };
}

/** The columns of the CSV, which stay in this order; a new one comes last. */
const COLUMNS = [
  'line',
  'bookedAt',
  'type',
  'orderId',
  'merchantOrderId',
  'refundId',
  'merchantRefundId',
  'paymentPointID',
  'paymentMethod',
  'amount',
  'fee',
  'net',
  'balance',
  'currency',
] as const;

/** The first part begins with the opening balance, the last one ends with the closing balance. */
function renderCsv(register: Register, part: number, lines: readonly RegisterLine[]): string {
  const balanceRow = (type: string, at: Date, kopecks: bigint) =>
    csvLine(['', at.toISOString(), type, ...Array<string>(9).fill(''), renderSignedRub(kopecks), 'RUB']);
  const rows = lines.map((line) => {
    const cells: Readonly<Record<string, string | number | null>> = { ...renderLine(line), currency: 'RUB' };
    return csvLine(COLUMNS.map((column) => String(cells[column] ?? '')));
  });
  return [
    csvLine(COLUMNS),
    ...(part === 1 ? [balanceRow('OPENING_BALANCE', startOfDay(register.day), register.openingKopecks)] : []),
    ...rows,
    ...(part === partsOf(register)
      ? [balanceRow('CLOSING_BALANCE', endOfDay(register.day), register.closingKopecks)]
      : []),
  ].join('');
}
