import { CommanderError, type Command } from 'commander';
import { ApiError, NoAnswerError } from '@pay/sdk/errors.ts';
import { CliFault, EXIT } from './fault.ts';

/** Runs the command line of this process. It ends when nobody reads its output on; notes on standard error may go unread. */
export async function runProcess(program: Command): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.unread);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await run(program, process.argv.slice(2));
}

/** Runs what was typed behind `pay`. Returns the exit status. */
export async function run(program: Command, typed: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(typed, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return end(program, error);
  }
}

/** One line (or one object, with `--json`) for any failure, and the exit status for its kind. */
function end(program: Command, error: unknown): number {
  const isJson = program.opts<{ json?: boolean }>().json === true;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { exitCode, line, json } = describe(error);
  if (isJson) console.log(JSON.stringify(json, null, 2));
  else console.error(line);
  return exitCode;
}

function describe(error: unknown): { exitCode: number; line: string; json: unknown } {
  if (error instanceof CliFault) return { exitCode: error.exitCode, line: error.message, json: error.json };
  if (error instanceof ApiError) {
    const { status, message } = error;
    return { exitCode: EXIT.refused, line: lineOf(error), json: error.body ?? { error: message, status } };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoAnswerError) {
    const { idempotencyKey } = error;
    // The outcome is unknown: the repeat that finds out needs this key.
    const repeat = idempotencyKey === undefined ? '' : `; repeat it with --idempotency-key ${idempotencyKey}`;
    return { exitCode: EXIT.unreachable, line: `${message}${repeat}`, json: { error: message, idempotencyKey } };
  }
  // A missing file, an invalid key: the error's message says what is wrong.
  return { exitCode: EXIT.usage, line: message, json: { error: message } };
}

function lineOf(refusal: ApiError): string {
  const { status, code, message, requestId, retryAfterSeconds } = refusal;
  const notBefore = refusal.nextChargeAt ?? refusal.retryNotBefore ?? undefined;
  const known = refusal.paymentId ?? refusal.refundId;
  return [
    `${String(status)} ${code}: ${message}`,
    ...(notBefore === undefined ? [] : [`; not before ${notBefore.toISOString()}`]),
    ...(known === undefined ? [] : [`; existing: ${known}`]),
    ...(retryAfterSeconds === undefined ? [] : [`; retry in ${String(retryAfterSeconds)} s`]),
    ...(requestId === undefined ? [] : [` (request ${requestId})`]),
  ].join('');
}
