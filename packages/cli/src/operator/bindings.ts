import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';
import { queryOf } from './notifier.ts';

type BindingFilter = { customer?: string; lastFour?: string; status?: string };

/** `pay operator bindings`, `consents`: the operator API of bindings; `buyers erase`: of bindings and payments. */
export function addConsentCommands(operator: Command): void {
  const bindings = operator.command('bindings').description('saved cards and their consents (bindings)');
  bindings
    .command('get <bindingId>')
    .description('show a binding with its consent: text, version, SHA-256, time, address')
    .action((id: string, _options: unknown, command: Command) => call(command, 'bindings', `GET bindings/${encodeURIComponent(id)}`));
  bindings
    .command('list <partnerID>')
    .description("list the saved cards of a partner's buyers, newest first")
    .option('--customer <customerID>', 'only of this buyer')
    .option('--last-four <digits>', 'only cards that end like this')
    .option('--status <status>', 'only with this status')
    .action((partnerID: string, { customer, lastFour, status }: BindingFilter, command: Command) =>
      call(command, 'bindings', `GET bindings${queryOf({ partnerID, customerId: customer, cardLastFour: lastFour, status })}`),
    );
  bindings
    .command('revoke <bindingId>')
    .description('revoke a saved card for a buyer who asks for it')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'bindings', `POST bindings/${encodeURIComponent(id)}/revoke`, {}),
    );
  const consents = operator.command('consents').description('consents of buyers (bindings)');
  consents
    .command('get <consentId>')
    .description('show a consent with all its evidence, including one without a binding')
    .action((id: string, _options: unknown, command: Command) => call(command, 'bindings', `GET consents/${encodeURIComponent(id)}`));
  const erase = operator.command('buyers').description('personal data of a buyer').command('erase');
  erase.description('erase it permanently: the cards first, then the payments; docs/security/data-inventory.md');
  erase
    .command('cards <bindingId>')
    .description("revoke every card of this binding's buyer, and erase cards, address and browser (bindings)")
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'bindings', `POST bindings/${encodeURIComponent(id)}/erase-buyer`, {}),
    );
  erase
    .command('payments <paymentId>')
    .description('erase the buyer of this payment, in all payments of the same customerID (payments)')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'payments', `POST payments/${encodeURIComponent(id)}/erase-buyer`, {}),
    );
}
