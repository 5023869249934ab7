import { Argument, type Command } from 'commander';
import { callOperatorApi as call, type OperatorService } from './api.ts';
import { queryOf } from './notifier.ts';

const serviceArgument = () => new Argument('<service>', 'the consumer').choices(['bindings', 'notifier', 'withdrawals']);

type Range = { from?: string; to?: string };

/** `pay operator facts`: facts that other services published and one never received; has them published again. */
export function addFactsCommands(operator: Command): void {
  const facts = operator.command('facts').description('facts published between services');
  facts
    .command('compare')
    .addArgument(serviceArgument())
    .description('list facts published within seven days that this service never received')
    .option('--from <moment>', 'published at this time or later; ISO 8601')
    .option('--to <moment>', 'published before this time; ISO 8601')
    .action((service: OperatorService, { from, to }: Range, command: Command) =>
      call(command, service, `GET facts${queryOf({ from, to })}`),
    );
  facts
    .command('republish')
    .addArgument(serviceArgument())
    .description('compare, and have the missing facts published again')
    .option('--from <moment>', 'published at this time or later; ISO 8601')
    .option('--to <moment>', 'published before this time; ISO 8601')
    .action((service: OperatorService, { from, to }: Range, command: Command) =>
      call(command, service, 'POST facts/republish', {
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      }),
    );
}
