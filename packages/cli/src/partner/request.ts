import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { freshMoment, signRequest } from '@pay/sdk/sign.ts';
import { contextOf, readBytes, withClient } from '../context.ts';
import { usage } from '../fault.ts';
import { identityOf } from '../profile.ts';

type Options = { body?: string; idempotencyKey?: string };

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** `pay request` and `pay curl`: any signed call. */
export function addRequestCommands(program: Command): void {
  program
    .command('request <method> <target>')
    .description('sign and send a request; print the response')
    .option('--body <text>', 'the body, sent byte for byte; @FILE reads a file, - stdin')
    .option('--idempotency-key <key>', 'default: a new one for POST')
    .action(async (given: string, target: string, options: Options, command: Command) => {
      const { output, profile } = contextOf(command);
      const method = methodOf(given);
      checkTarget(target);
      const { idempotencyKey } = options;
      const answer = await withClient(profile(), (client) =>
        client.request({
          method,
          target,
          ...(options.body === undefined ? {} : { body: readBytes(options.body) }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        }),
      );
      const text = answer.body.toString('utf8');
      output.note(
        `${String(answer.status)}${answer.replayed ? ' (replayed)' : ''}  request ${answer.requestId ?? '?'}` +
          (answer.idempotencyKey === undefined ? '' : `  Idempotency-Key ${answer.idempotencyKey}`),
      );
      // As received: a JavaScript number could differ from the one that was sent.
      console.log(text);
    });

  program
    .command('curl <method> <target>')
    .description('print a signed curl command, valid once and for five minutes')
    .option('--body <text>', 'the body; @FILE reads a file, - stdin')
    .option('--idempotency-key <key>', 'default: a new one for POST')
    .action((given: string, target: string, options: Options, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      const method = methodOf(given);
      checkTarget(target);
      const body = readBytes(options.body);
      const idempotencyKey = options.idempotencyKey ?? (method === 'POST' ? randomUUID() : '');
      const { authorization } = signRequest(identityOf(profile), { method, target, idempotencyKey, body }, freshMoment(new Date()));
      const words = [
        // --path-as-is and --globoff: curl must send the target that was signed.
        'curl -sS --path-as-is --globoff',
        `-X ${method} ${quote(`${profile.baseUrl.replace(/\/$/, '')}${target}`)}`,
        `-H ${quote(`Authorization: ${authorization}`)}`,
        ...(idempotencyKey === '' ? [] : [`-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`]),
        ...(body.length === 0 ? [] : [`-H 'Content-Type: application/json'`, `--data-binary ${quote(body.toString('utf8'))}`]),
      ];
      output.result(words.join(' \\\n  '), { command: words.join(' '), method, target, idempotencyKey, authorization });
    });
}

function methodOf(given: string): (typeof METHODS)[number] {
  const method = METHODS.find((known) => known === given.toUpperCase());
  if (method === undefined) throw usage(`${given} is not one of ${METHODS.join(', ')}`);
  return method;
}

/** The signature covers what is sent after the origin. */
function checkTarget(target: string): void {
  if (!target.startsWith('/')) throw usage(`the target must be a path that begins with /, such as /api/card, not ${target}`);
}

/** Quotes a word for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
