import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';

const partnerPath = (id: string): string => `partners/${encodeURIComponent(id)}`;

/** `pay operator partners`, `pay operator keys`: the operator API of the gateway. */
export function addGatewayCommands(operator: Command): void {
  const partners = operator.command('partners').description('partners and their keys (gateway)');
  partners
    .command('list')
    .description('list all partners')
    .option('--after <partnerID>', 'start after this one')
    .action(async ({ after }: { after?: string }, command: Command) => {
      await call(command, 'gateway', `GET partners${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`);
    });
  partners
    .command('get <partnerID>')
    .description('show a partner with its keys')
    .action((id: string, _options: unknown, command: Command) => call(command, 'gateway', `GET ${partnerPath(id)}`));
  partners
    .command('create <partnerID> <name>')
    .description('create a partner without keys')
    .action((partnerID: string, name: string, _options: unknown, command: Command) =>
      call(command, 'gateway', 'POST partners', { partnerID, name }),
    );
  partners
    .command('rate-limit <partnerID>')
    .description('set its rate limit')
    .requiredOption('--per-second <count>', 'requests per second', Number)
    .requiredOption('--burst <count>', 'burst size in requests', Number)
    .action((id: string, { perSecond, burst }: { perSecond: number; burst: number }, command: Command) =>
      call(command, 'gateway', `PUT ${partnerPath(id)}/rate-limit`, { ratePerSecond: perSecond, burst }),
    );
  for (const [verb, meaning] of [
    ['suspend', 'refuse its requests'],
    ['resume', 'accept its requests again'],
  ] as const) {
    partners
      .command(`${verb} <partnerID>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) => call(command, 'gateway', `POST ${partnerPath(id)}/${verb}`));
  }
  partners
    .command('audit <partnerID>')
    .description('show the audit log of a partner')
    .action((id: string, _options: unknown, command: Command) => call(command, 'gateway', `GET ${partnerPath(id)}/audit`));

  addKeyCommands(operator);
}

function addKeyCommands(operator: Command): void {
  const keys = operator.command('keys').description('the keys of a partner: one operator registers, another activates');
  keys
    .command('register <partnerID> <publicKey>')
    .description('register a key: the OpenSSH line, or @FILE')
    .action((id: string, given: string, _options: unknown, command: Command) => {
      const publicKey = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8').trim() : given;
      return call(command, 'gateway', `POST ${partnerPath(id)}/keys`, { publicKey });
    });
  for (const verb of ['activate', 'revoke'] as const) {
    keys
      .command(`${verb} <partnerID> <keyId>`)
      .description(verb === 'activate' ? 'activate it; not by the operator who registered it' : 'revoke it permanently')
      .action((id: string, keyId: string, _options: unknown, command: Command) =>
        call(command, 'gateway', `POST ${partnerPath(id)}/keys/${encodeURIComponent(keyId)}/${verb}`),
      );
  }
}
