import { Option, type Command } from 'commander';
import type { Client } from '@pay/sdk/client.ts';
import type { RegisterListOptions } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { usage } from '../fault.ts';
import { table } from '../output.ts';
import { pageOptions } from './list-options.ts';

type Currency = 'RUB' | 'USDT';
type ListOptions = { currency: Currency; from?: string; to?: string; limit?: string; pageToken?: string };
type GetOptions = { currency: Currency; csv?: boolean; part: string };

const currencyOption = () => new Option('--currency <currency>', 'which balance').choices(['RUB', 'USDT']).default('RUB');

/** `pay registers`: the registers of closed days. */
export function addRegisterCommands(program: Command): void {
  const registers = program.command('registers').description('closed days of your balances: list, read');
  registers
    .command('list')
    .description('list the closed days, newest first')
    .addOption(currencyOption())
    .option('--from <day>', 'from this day, such as 2026-11-01')
    .option('--to <day>', 'before this day')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(async ({ currency, from, to, limit, pageToken }: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const query = { ...pageOptions(limit, pageToken), ...days };
      const { page, rows } = await withClient(profile(), (client) => listed(client, currency, query));
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no closed day' : [...table(rows), ...more], page);
    });
  registers
    .command('get <date>')
    .description('show a closed day, entry by entry')
    .addOption(currencyOption())
    .option('--csv', 'as CSV, exactly as the service returns it')
    .option('--part <number>', 'which part of a day with more than 5,000 entries', '1')
    .action(async (date: string, { currency, csv, part }: GetOptions, command: Command) => {
      if (!/^[1-9]\d*$/.test(part)) throw usage('--part must be a whole number from 1');
      const { output, profile } = contextOf(command);
      if (csv === true) {
        const text = await withClient(profile(), (client) =>
          currency === 'RUB' ? client.readRegisterCsv(date, Number(part)) : client.readUsdtRegisterCsv(date, Number(part)),
        );
        process.stdout.write(text);
        return;
      }
      const { found, lines } = await withClient(profile(), (client) => read(client, currency, date, Number(part)));
      output.result([...lines, `part ${String(found.part)} of ${String(found.parts)}`], found);
    });
}

/** A page, with a row of text for each of its days. */
async function listed(client: Client, currency: Currency, query: RegisterListOptions) {
  if (currency === 'RUB') {
    const page = await client.listRegisters(query);
    const rows = page.items.map((one) => [one.date, one.openingBalance, one.closingBalance, `${String(one.lines)} lines`]);
    return { page, rows };
  }
  const page = await client.listUsdtRegisters(query);
  const rows = page.items.map((one) => [
    one.date,
    `${one.openingAvailable} + ${one.openingReserved} reserved`,
    `${one.closingAvailable} + ${one.closingReserved} reserved`,
    `${String(one.lines)} lines`,
  ]);
  return { page, rows };
}

/** A part of a day, with its text from the opening to the closing balance. */
async function read(client: Client, currency: Currency, date: string, part: number) {
  if (currency === 'RUB') {
    const found = await client.readRegister(date, part);
    const rows = found.items.map((one) => [one.bookedAt, one.type, one.orderId, one.amount, one.fee, one.balance]);
    return { found, lines: [`opening ${found.openingBalance}`, ...table(rows), `closing ${found.closingBalance}`] };
  }
  const found = await client.readUsdtRegister(date, part);
  const rows = found.items.map((one) => [
    one.bookedAt,
    one.type,
    one.withdrawalRequestId ?? one.fundingId ?? '',
    one.amount,
    one.available,
    one.reserved,
  ]);
  const lines = [
    `opening ${found.openingAvailable} + ${found.openingReserved} reserved`,
    ...table(rows),
    `closing ${found.closingAvailable} + ${found.closingReserved} reserved`,
  ];
  return { found, lines };
}
