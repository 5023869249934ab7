import type { Pool } from 'undici';
import { isNothingSent } from '../net/nothing-sent.ts';
import { traceHeaders } from '../telemetry/tracing.ts';
import type { Attempt } from './ask-replicas.ts';
import { NoAnswerError } from './no-answer.ts';

/** A replica's response. */
export type Answer = {
  /** Another replica may have received this call, too: what this one refuses, that one may have done. */
  readonly mayBeElsewhere: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

/** Interprets a response. */
export type Read<T> = (answer: Answer) => T;

type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
};

type Call<T> = {
  readonly token: string;
  /** Monotonic milliseconds. */
  readonly until: number;
  readonly read: Read<T>;
  /** Asked when the response is there. */
  readonly mayBeElsewhere: () => boolean;
};

/**
 * Uses undici's lowest-level API: for these small responses, streams and abort signals would cost more than all checks
 * of the gateway. Ends at `until`, in whatever state the call is. Rejects with NoAnswerError, or what `read` threw.
 */
export function askReplica<T>(
  pool: Pool,
  { method, path, headers, body }: Request,
  { token, until, read, mayBeElsewhere }: Call<T>,
): Attempt<T> {
  let giveUp: (isLate: boolean) => void = () => undefined;
  let status = 0;
  const answer = new Promise<T>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let given: Answer['headers'] = {};
    let isGivenUp = false;
    let abort: ((reason: Error) => void) | undefined;
    giveUp = (isLate) => {
      clearTimeout(timer);
      isGivenUp = true;
      const error = new NoAnswerError({ isLate, wasSent: abort !== undefined });
      reject(error);
      abort?.(error);
    };
    const timer = setTimeout(() => {
      giveUp(true);
    }, until - performance.now());
    const options = {
      method,
      path,
      headers: { 'x-internal-token': token, ...headers, ...traceHeaders() },
      body,
    };
    pool.dispatch(options, {
      // From here on bytes may be sent; before it the call waits for a connection.
      onRequestStart(controller) {
        // A process that was frozen may come here before its timer has fired.
        if (!isGivenUp && performance.now() >= until) giveUp(true);
        // By the time it had a connection, nobody wanted its answer any more.
        if (isGivenUp) controller.abort(new Error('given up'));
        else
          abort = (reason) => {
            controller.abort(reason);
          };
      },
      onResponseStart(_controller, statusCode, answered) {
        // Earlier ones are informational responses, which our services do not send.
        status = statusCode;
        given = answered;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        clearTimeout(timer);
        const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
        try {
          resolve(read({ status, headers: given, body: whole, mayBeElsewhere: mayBeElsewhere() }));
        } catch (error) {
          reject(error instanceof Error ? error : new Error('an answer could not be read', { cause: error }));
        }
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        reject(new NoAnswerError({ isLate: false, wasSent: abort !== undefined && !isNothingSent(error) }, error));
      },
    });
  });
  return {
    answer,
    isRefused: () => status >= 500 || status === 401,
    cancel: () => {
      giveUp(false);
    },
  };
}
