import { Argument, type Command } from 'commander';
import { callOperatorApi as call, type OperatorService } from './api.ts';
import { queryOf } from './notifier.ts';

const serviceArgument = () =>
  new Argument('<service>', 'who should have heard them').choices(['bindings', 'notifier', 'withdrawals']);

type Range = { from?: string; to?: string };

/** `pay operator facts`: what other services published and one never received, and having it published again. */
export function addFactsCommands(operator: Command): void {
  const facts = operator.command('facts').description('what services told each other');
  facts
    .command('compare')
    .addArgument(serviceArgument())
    .description('what others published within seven days and this service never received')
    .option('--from <moment>', 'published then or later; ISO 8601')
    .option('--to <moment>', 'published before; ISO 8601')
    .action((service: OperatorService, { from, to }: Range, command: Command) =>
      call(command, service, `GET facts${queryOf({ from, to })}`),
    );
  facts
    .command('republish')
    .addArgument(serviceArgument())
    .description('compare, and have its owners publish again what is missing')
    .option('--from <moment>', 'published then or later; ISO 8601')
    .option('--to <moment>', 'published before; ISO 8601')
    .action((service: OperatorService, { from, to }: Range, command: Command) =>
      call(command, service, 'POST facts/republish', {
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      }),
    );
}
