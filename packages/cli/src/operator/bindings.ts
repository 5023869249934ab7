import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';

/** `pay operator bindings`, `consents`: the operator API of bindings; `buyers erase`: of bindings and payments. */
export function addConsentCommands(operator: Command): void {
  const bindings = operator.command('bindings').description('saved cards and what their buyers agreed to (bindings)');
  bindings
    .command('get <bindingId>')
    .description('one binding with its consent: text, version, SHA-256, time, address')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'bindings', `GET bindings/${encodeURIComponent(id)}`),
    );
  const consents = operator.command('consents').description('what buyers agreed to (bindings)');
  consents
    .command('get <consentId>')
    .description('one consent with all its evidence, also one that no binding came of')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'bindings', `GET consents/${encodeURIComponent(id)}`),
    );
  const erase = operator.command('buyers').description('what is kept of a buyer').command('erase');
  erase.description('remove it for good: the cards first, then the payments; docs/security/data-inventory.md');
  erase
    .command('cards <bindingId>')
    .description('revoke every card of the buyer of this binding, and forget cards, address and browser (bindings)')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'bindings', `POST bindings/${encodeURIComponent(id)}/erase-buyer`, {}),
    );
  erase
    .command('payments <paymentId>')
    .description('forget who made this payment, in all payments of the same customerID (payments)')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'payments', `POST payments/${encodeURIComponent(id)}/erase-buyer`, {}),
    );
}
