import type { Command } from 'commander';
import { callOperatorApi as call } from '../operator-api.ts';

/** `pay operator bindings`, `consents`: the operator API of bindings. */
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
}
