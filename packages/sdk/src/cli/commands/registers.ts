import type { Command } from 'commander';
import { contextOf, withClient } from '../context.ts';
import { usage } from '../fault.ts';
import { table } from '../output.ts';
import { pageOptions } from './list-options.ts';

type ListOptions = { from?: string; to?: string; limit?: string; pageToken?: string };
type GetOptions = { csv?: boolean; part: string };

/** `pay registers`: closed days of your balance. */
export function addRegisterCommands(program: Command): void {
  const registers = program.command('registers').description('closed days of your balance: list, read');
  registers
    .command('list')
    .description('the closed days, the newest first')
    .option('--from <day>', 'this day, such as 2026-11-01, or later')
    .option('--to <day>', 'before this day')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the page before')
    .action(async ({ from, to, limit, pageToken }: ListOptions, command: Command) => {
      const { output, profile } = contextOf(command);
      const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const query = { ...pageOptions(limit, pageToken), ...days };
      const page = await withClient(profile(), (client) => client.listRegisters(query));
      const rows = page.items.map((one) => [
        one.date,
        one.openingBalance,
        one.closingBalance,
        `${String(one.lines)} lines`,
      ]);
      const more = page.nextPageToken === null ? [] : [`more: --page-token ${page.nextPageToken}`];
      output.result(rows.length === 0 ? 'no closed day' : [...table(rows), ...more], page);
    });
  registers
    .command('get <date>')
    .description('a closed day, booking by booking')
    .option('--csv', 'the file as the service writes it')
    .option('--part <number>', 'of a day with more than 5,000 bookings', '1')
    .action(async (date: string, { csv, part }: GetOptions, command: Command) => {
      if (!/^[1-9]\d*$/.test(part)) throw usage('--part is a whole number from 1');
      const { output, profile } = contextOf(command);
      if (csv === true) {
        process.stdout.write(await withClient(profile(), (client) => client.readRegisterCsv(date, Number(part))));
        return;
      }
      const found = await withClient(profile(), (client) => client.readRegister(date, Number(part)));
      const rows = found.items.map((one) => [one.bookedAt, one.type, one.orderId, one.amount, one.fee, one.balance]);
      const ends = [`opening ${found.openingBalance}`, ...table(rows), `closing ${found.closingBalance}`];
      output.result([...ends, `part ${String(found.part)} of ${String(found.parts)}`], found);
    });
}
