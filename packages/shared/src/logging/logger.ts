import { pino, stdTimeFunctions, type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { withoutCardData } from '../content/forbidden-content.ts';
import { logLinesDropped } from '../telemetry/metrics.ts';
import { currentTraceId } from '../telemetry/tracing.ts';
import { LogOutput } from './output.ts';
import { currentRequestId } from './request-context.ts';

/**
 * A value that may be logged. Objects are not allowed: a field is named on purpose, or it is not in the log (an allow
 * list, because a deny list misses the field that is added next year). Errors go under `err`.
 */
type Loggable = string | number | boolean | null | undefined | bigint;
type Fields<T> = { readonly [K in keyof T]: K extends 'err' ? unknown : Loggable };

/** Writes one JSON line. `message` is a fixed sentence without values. */
export type Log = {
  debug<T extends Fields<T>>(message: string, fields?: T): void;
  info<T extends Fields<T>>(message: string, fields?: T): void;
  warn<T extends Fields<T>>(message: string, fields?: T): void;
  error<T extends Fields<T>>(message: string, fields?: T): void;
};

/** The loggable parts of an error: name, message, code, stack and the cause chain; never attached bodies or queries. */
function serializeError(err: unknown, depth = 0): unknown {
  if (!(err instanceof Error)) return typeof err === 'string' ? { message: redact(err) } : { message: typeof err };
  return {
    name: err.name,
    message: redact(err.message),
    ...('code' in err && typeof err.code === 'string' ? { code: err.code } : {}),
    stack: redact(err.stack ?? ''),
    ...(err.cause === undefined || depth > 3 ? {} : { cause: serializeError(err.cause, depth + 1) }),
  };
}

const UUID_OR_DIGITS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[ -]?\d){11,18}/gi;
/** drizzle quotes a failed statement's parameters: customer data, ciphertexts, hashes. */
const STATEMENT_PARAMETERS = /\nparams: .*(?:\n(?! {4}at ).*)*/g;

/**
 * As a second line of defence: a library's message may quote input, so card data is removed in any spelling, and so is any
 * long number, which may be a mistyped card.
 */
function redact(text: string): string {
  return withoutCardData(text.replace(STATEMENT_PARAMETERS, '')).replace(
    UUID_OR_DIGITS,
    (_match, uuid: string | undefined) => uuid ?? '[digits]',
  );
}

/** stdout belongs to the process: its logs share one buffer. Opened by the first line. */
let output: LogOutput | undefined;

/**
 * The log of one service: JSON lines on stdout with level, time, service and, inside a request, requestId and the traceId of a recorded
 * trace.
 */
export function createLog(service: string, level: 'debug' | 'info' | 'warn' | 'error' | 'silent'): Log {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (err: unknown) => serializeError(err) },
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) };
    },
  };
  const logger: PinoLogger = pino(options, {
    write(line) {
      output ??= new LogOutput({
        fd: 1,
        onDropped: (lines) => {
          logLinesDropped.inc(lines);
        },
        onRecovered: (lostLines) => {
          logger.warn({ lostLines }, 'the log is written again, lines of it were lost');
        },
      });
      output.write(line);
    },
  });
  const write = (name: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: object) => {
    logger[name](plain(fields ?? {}), message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** pino cannot write a bigint. */
function plain(fields: object): object {
  if (!Object.values(fields).some((value) => typeof value === 'bigint')) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]));
}
