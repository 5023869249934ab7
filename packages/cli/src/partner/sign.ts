import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { freshMoment, signRequest } from '@pay/sdk/sign.ts';
import { contextOf, readBytes } from '../context.ts';
import { usage } from '../fault.ts';
import { table } from '../output.ts';
import { identityOf } from '../profile.ts';

/** The seven parts in order. See spec/service-contract#partner-signature-on-every-request. */
export const PARTS = ['timestamp', 'nonce', 'METHOD', 'ESCAPED_PATH', 'CANONICAL_QUERY', 'Idempotency-Key', 'SHA-256 of the body'] as const;

type Options = { body?: string; idempotencyKey?: string; timestamp?: string; nonce?: string; explain?: boolean };

/** `pay sign`: prints the Authorization header of a request, and the string that was signed. */
export function addSign(program: Command): void {
  program
    .command('sign <method> <target>')
    .description('print the Authorization header of a request, good once, for five minutes')
    .option('--body <text>', 'the body; @FILE reads a file, - stdin')
    .option('--idempotency-key <key>', 'default: a new one for POST, to be sent with the request')
    .option('--timestamp <seconds>', 'default: now')
    .option('--nonce <text>', 'default: random')
    .option('--explain', 'show the seven signed parts, with line feeds visible')
    .action((method: string, target: string, options: Options, command: Command) => {
      const { output, profile } = contextOf(command);
      const fresh = freshMoment(new Date());
      const moment = { timestamp: options.timestamp ?? fresh.timestamp, nonce: options.nonce ?? fresh.nonce };
      if (!/^\d{1,12}$/.test(moment.timestamp)) throw usage('--timestamp must be Unix time in seconds');
      const idempotencyKey = options.idempotencyKey ?? (method.toUpperCase() === 'POST' ? randomUUID() : '');
      const signed = signRequest(identityOf(profile()), { method, target, idempotencyKey, body: readBytes(options.body) }, moment);
      const keyLine = idempotencyKey === '' ? [] : [`Idempotency-Key: ${idempotencyKey}`];
      const isExplained = options.explain === true;
      // Scripts take stdout as the header: a key that was made for them is on stderr.
      if (!isExplained && options.idempotencyKey === undefined) for (const line of keyLine) output.note(line);
      const lines = isExplained
        ? [...explain(signed.canonical), '', ...keyLine, `Authorization: ${signed.authorization}`]
        : signed.authorization;
      output.result(lines, { ...signed, idempotencyKey, parts: signed.canonical.split('\n') });
    });
}

/** One line per part; `␊` is a line feed, and the last part has none. */
export function explain(canonical: string): string[] {
  const parts = canonical.split('\n');
  return table(parts.map((part, index) => [String(index + 1), PARTS[index] ?? '?', `${part}${index < parts.length - 1 ? '␊' : ''}`]));
}
