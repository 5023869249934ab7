import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { day } from '@pay/shared/http/fields.ts';
import { endOfDay, startOfDay } from '@pay/shared/time/day.ts';
import { columnsOf, count, maybe, rubles, text, usdt, type Item } from '../files/columns.ts';
import { sendFile } from '../files/send-file.ts';
import { withAmountsAsText } from './amounts.ts';
import { askForPage } from './export-payments.ts';
import type { GatewayAnswer, PortalGateway } from './gateway.ts';
import type { SessionCookie } from './session-cookie.ts';
import { shownPartner } from './shown-partner.ts';

/** A line of a ruble register, with the columns of its CSV (docs/partners/registers.md). */
const RubleLine = z.object({
  line: count,
  bookedAt: text,
  type: text,
  orderId: maybe,
  merchantOrderId: maybe,
  refundId: maybe,
  merchantRefundId: maybe,
  paymentPointID: maybe,
  paymentMethod: maybe,
  amount: rubles,
  fee: rubles,
  net: rubles,
  balance: rubles,
});

/** A line of a USDT register. */
const UsdtLine = z.object({
  line: count,
  bookedAt: text,
  type: text,
  storeId: maybe,
  withdrawalRequestId: maybe,
  fundingId: maybe,
  beneficiaryRef: maybe,
  transferReference: maybe,
  amount: usdt,
  availableChange: usdt,
  reservedChange: usdt,
  available: usdt,
  reserved: usdt,
});

/** The lines of each currency, and the balances at either end of the day: the column, and the member that has it. */
const REGISTERS: Readonly<
  Record<string, { item: Item; opening: Readonly<Record<string, string>>; closing: Readonly<Record<string, string>> }>
> = {
  RUB: { item: RubleLine, opening: { balance: 'openingBalance' }, closing: { balance: 'closingBalance' } },
  USDT: {
    item: UsdtLine,
    opening: { available: 'openingAvailable', reserved: 'openingReserved' },
    closing: { available: 'closingAvailable', reserved: 'closingReserved' },
  },
};

const File = /^(.*)\.xlsx$/;

/** GET /api/registers/{currency}/{date}.xlsx: a closed day with all of its parts, for Excel. The CSV is the API's own. */
export function exportRegisterRoute({ gateway }: { readonly gateway: PortalGateway }, cookie: SessionCookie): RequestHandler {
  return async (req, res) => {
    const { currency, file } = req.params;
    const date = day.safeParse(File.exec(String(file))?.[1]);
    const register = REGISTERS[String(currency)];
    if (!date.success || register === undefined) throw new ApiError('NOT_FOUND');
    const { shown } = shownPartner(req);
    const token = cookie.read(req);
    const ask = (part: number) =>
      askForPage(gateway, { path: `/partner/api/registers/${String(currency)}/${date.data}?part=${String(part)}`, shown, token }, res);
    const first = await ask(1);
    if (first.status !== 200) {
      res.status(first.status).set(first.headers).send(first.body);
      return;
    }
    const name = `register-${String(currency)}-${date.data}`;
    const columns = columnsOf(register.item);
    const names = columns.map((column) => column.name);
    const balance = (part: Part, type: string, at: Date, members: Readonly<Record<string, string>>) =>
      names.map((column) => {
        if (column === 'bookedAt') return at.toISOString();
        if (column === 'type') return type;
        const member = members[column];
        return member === undefined ? null : String(part[member]);
      });
    const pages = async function* () {
      for (let number = 1, answer = first; ; number += 1, answer = await ask(number)) {
        const part = partOf(answer, register.item);
        const lines = part.items.map((row) => names.map((column) => row[column] ?? null));
        const opening = number === 1 ? [balance(part, 'OPENING_BALANCE', startOfDay(date.data), register.opening)] : [];
        const isLast = number === part.parts;
        yield [...opening, ...lines, ...(isLast ? [balance(part, 'CLOSING_BALANCE', endOfDay(date.data), register.closing)] : [])];
        if (isLast) return;
      }
    };
    await sendFile(req, res, { format: 'xlsx', name, columns }, pages());
  };
}

type Part = Readonly<Record<string, unknown>> & {
  readonly parts: number;
  readonly items: readonly Readonly<Record<string, string | null | undefined>>[];
};

/** @throws ApiError 503 for anything but a part of the register: half a file never looks complete */
function partOf({ status, body }: GatewayAnswer, item: Item): Part {
  if (status !== 200) throw new ApiError('SERVICE_UNAVAILABLE');
  return z.looseObject({ parts: z.int(), items: z.array(item) }).parse(JSON.parse(withAmountsAsText(body.toString())));
}
