import { Argument, type Command } from 'commander';
import { callOperatorApi as call } from '../operator-api.ts';

/** `pay operator stores`: the operator API of payments. */
export function addPaymentsCommands(operator: Command): void {
  const stores = operator.command('stores').description('the shops of partners (payments)');
  stores
    .command('merchant-consent <storeID>')
    .description('whether the shop may show the consent to save a card in its own interface')
    .addArgument(new Argument('<answer>').choices(['on', 'off']))
    .action((storeID: string, answer: string, _options: unknown, command: Command) =>
      call(command, 'payments', `PUT stores/${encodeURIComponent(storeID)}/merchant-consent`, {
        enabled: answer === 'on',
      }),
    );
}
