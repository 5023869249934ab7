import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { ApiError } from '../../errors.ts';
import { contextOf } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { readSystemFacts } from '../profile.ts';

/** Services with an operator API on their private port. */
type OperatorService = 'gateway';

const TIMEOUT_MS = 10_000;

/** `pay operator`: the operator APIs of a system on this machine, as the person named by `--as`. */
export function addOperatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('the operator APIs of the system on this machine')
    .option('--as <login>', 'who does it; stands in the audit trail', 'cli');

  const partners = operator.command('partners').description('partners and their keys (gateway)');
  partners
    .command('list')
    .description('all partners')
    .option('--after <partnerID>', 'those behind this one')
    .action(async ({ after }: { after?: string }, command: Command) => {
      await call(command, 'gateway', `GET partners${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`);
    });
  partners
    .command('get <partnerID>')
    .description('one partner with its keys')
    .action((id: string, _options: unknown, command: Command) => call(command, 'gateway', `GET ${partnerPath(id)}`));
  partners
    .command('create <partnerID> <name>')
    .description('a new partner, without keys')
    .action((partnerID: string, name: string, _options: unknown, command: Command) =>
      call(command, 'gateway', 'POST partners', { partnerID, name }),
    );
  partners
    .command('rate-limit <partnerID>')
    .description('how much it may ask for')
    .requiredOption('--per-second <count>', 'requests per second', Number)
    .requiredOption('--burst <count>', 'requests at once', Number)
    .action((id: string, { perSecond, burst }: { perSecond: number; burst: number }, command: Command) =>
      call(command, 'gateway', `PUT ${partnerPath(id)}/rate-limit`, { ratePerSecond: perSecond, burst }),
    );
  for (const [verb, meaning] of [
    ['suspend', 'refuse its requests'],
    ['resume', 'take its requests again'],
  ] as const) {
    partners
      .command(`${verb} <partnerID>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) =>
        call(command, 'gateway', `POST ${partnerPath(id)}/${verb}`),
      );
  }
  partners
    .command('audit <partnerID>')
    .description('who did what')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'gateway', `GET ${partnerPath(id)}/audit`),
    );

  addKeyCommands(operator);
}

function addKeyCommands(operator: Command): void {
  const keys = operator.command('keys').description('the keys of a partner: one operator registers, another activates');
  keys
    .command('register <partnerID> <publicKey>')
    .description('the OpenSSH line, or @FILE')
    .action((id: string, given: string, _options: unknown, command: Command) => {
      const publicKey = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8').trim() : given;
      return call(command, 'gateway', `POST ${partnerPath(id)}/keys`, { publicKey });
    });
  for (const verb of ['activate', 'revoke'] as const) {
    keys
      .command(`${verb} <partnerID> <keyId>`)
      .description(verb === 'activate' ? 'by another operator than the one who registered it' : 'for good')
      .action((id: string, keyId: string, _options: unknown, command: Command) =>
        call(command, 'gateway', `POST ${partnerPath(id)}/keys/${encodeURIComponent(keyId)}/${verb}`),
      );
  }
}

const partnerPath = (id: string): string => `partners/${encodeURIComponent(id)}`;

/** Calls an operator API (`GET partners`) with a token that says who acts, good for half a minute, for this service only. */
async function call(command: Command, service: OperatorService, route: string, body?: unknown): Promise<void> {
  const { output, profile } = contextOf(command);
  const { ports, operatorTokenKeys } = readSystemFacts(profile());
  const key = operatorTokenKeys[service];
  const port = ports[`${service}-1-private`];
  if (key === undefined || port === undefined)
    throw usage('operator commands need the system of `npm start` on this machine');
  const { as: login }: { as: string } = command.optsWithGlobals();
  const [method = '', path = ''] = route.split(' ');
  const token = internalTokenSigner('cli', `${service}-operator`, Buffer.from(key, 'base64'))(login);
  const response = await fetch(`http://127.0.0.1:${String(port)}/operator/${path}`, {
    method,
    headers: { 'X-Internal-Token': token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CliFault(EXIT.unreachable, `${service} does not answer on its private port: ${String(error)}`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new ApiError({
      status: response.status,
      body: answer,
      retryAfterSeconds: undefined,
      requestId: response.headers.get('x-request-id') ?? undefined,
      idempotencyKey: undefined,
    });
  }
  output.result(JSON.stringify(answer, null, 2), answer);
}
