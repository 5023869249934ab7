import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';
import { queryOf } from './notifier.ts';

type ExceptionFilter = { status?: string; kind?: string; date?: string; limit?: string; pageToken?: string };

type UnknownOrder = {
  point?: string;
  order?: string;
  customer?: string;
  method?: string;
  payment?: string;
  refund?: string;
};

const exceptionPath = (id: string): string => `exceptions/${encodeURIComponent(id)}`;

/** `pay operator reconciliations`, `exceptions`: compares our books with the bank's (payments). */
export function addReconciliationCommands(operator: Command): void {
  const reconciliations = operator.command('reconciliations').description('reconciled days (payments)');
  reconciliations
    .command('create')
    .description("reconcile a day of the bank's register with our ledger now (payments)")
    .requiredOption('--date <date>', 'the day of the register, UTC, such as 2026-11-21')
    .option('--route <routeId>', 'the route to the bank', 'sandbox-bank')
    .action(({ date, route: routeId }: { date: string; route: string }, command: Command) =>
      call(command, 'payments', 'POST reconciliations', { date, routeId }),
    );
  reconciliations
    .command('list')
    .description('list reconciled days, newest first')
    .option('--date <date>')
    .option('--limit <count>', '1 to 100')
    .action((options: { date?: string; limit?: string }, command: Command) =>
      call(command, 'payments', `GET reconciliations${queryOf(options)}`),
    );
  reconciliations
    .command('get <routeId> <date>')
    .description('show a day with everything that did not match')
    .action((routeId: string, date: string, _options: unknown, command: Command) =>
      call(command, 'payments', `GET reconciliations/${encodeURIComponent(routeId)}/${encodeURIComponent(date)}`),
    );
  addExceptionCommands(operator);
}

function addExceptionCommands(operator: Command): void {
  const exceptions = operator.command('exceptions').description('where our books and the bank disagree (payments)');
  exceptions
    .command('list')
    .description('list exceptions, newest first')
    .option('--status <status>', 'OPEN or RESOLVED')
    .option('--kind <kind>', 'such as MISSING_HERE')
    .option('--date <date>', 'found by reconciling this day')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action((filter: ExceptionFilter, command: Command) => call(command, 'payments', `GET exceptions${queryOf(filter)}`));
  exceptions
    .command('get <exceptionId>')
    .description('show an exception')
    .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `GET ${exceptionPath(id)}`));
  exceptions
    .command('settle <exceptionId>')
    .description('record how it was resolved; moves no money')
    .requiredOption('--note <text>', 'note for the record')
    .action((id: string, { note }: { note: string }, command: Command) =>
      call(command, 'payments', `POST ${exceptionPath(id)}/settle`, { note }),
    );
  exceptions
    .command('read-back <exceptionId>')
    .description('ask the bank again and book the result by the normal rules')
    .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `POST ${exceptionPath(id)}/read-back`));
  exceptions
    .command('book <exceptionId>')
    .description(
      'book a payment or refund that only the bank knows, under its old id; a payment needs the four options. Above the limit: a proposal',
    )
    .option('--point <paymentPointID>', 'the payment point of the order')
    .option('--order <merchantOrderId>', "the partner's order number")
    .option('--customer <customerID>', "the partner's id of the buyer")
    .option('--method <paymentMethod>', 'CARD or SBP_DYNAMIC_QR')
    .option('--payment <paymentId>', 'the id that the partner has, if a second or later card paid')
    .option('--refund <merchantRefundId>', "the partner's number of a refund")
    .action((id: string, { point, order, customer, method, payment, refund }: UnknownOrder, command: Command) =>
      call(
        command,
        'payments',
        `POST ${exceptionPath(id)}/book`,
        point === undefined
          ? { merchantRefundId: refund }
          : {
              order: {
                paymentPointID: point,
                merchantOrderId: order,
                customerID: customer,
                paymentMethod: method,
                paymentId: payment,
              },
            },
      ),
    );
  exceptions
    .command('return <exceptionId>')
    .description("return an unknown order's money to the buyer, again if the bank declined it (RETURN_FAILED). Above the limit: a proposal")
    .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `POST ${exceptionPath(id)}/return`));
}
