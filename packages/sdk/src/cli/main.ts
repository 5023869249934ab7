import { CommanderError } from 'commander';
import { ApiError, NoAnswerError } from '../errors.ts';
import { CliFault, EXIT } from './fault.ts';
import { createProgram } from './program.ts';

const program = createProgram();
try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = end(error);
}

/** One line (or with `--json` one object) for whatever went wrong, and the exit status that says which kind it was. */
function end(error: unknown): number {
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
    const { status, code, message, requestId } = error;
    const line = `${String(status)} ${code}: ${message}${requestId === undefined ? '' : ` (request ${requestId})`}`;
    return { exitCode: EXIT.refused, line, json: error.body ?? { error: message, status } };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoAnswerError) return { exitCode: EXIT.unreachable, line: message, json: { error: message } };
  // A file that is not there, a key that is none: the words of the error say it.
  return { exitCode: EXIT.usage, line: message, json: { error: message } };
}
