import type { Readable } from 'node:stream';
import { isNothingSent } from '../net/nothing-sent.ts';
import { NoAnswerError } from './no-answer.ts';
import type { Candidate } from './replicas.ts';

/** The beginning of a response, with a body that is still coming. It must be read or destroyed. */
export type Opened = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
};

type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string;
  /** For the beginning of the response; the rest may take any time. */
  readonly deadlineMs: number;
};

/**
 * Opens a response at one replica after another, until one answers. The replica has the call in flight until the body is
 * closed.
 * @throws NoAnswerError if none did
 */
export async function openAtReplica(candidates: readonly Candidate[], request: Request): Promise<Opened> {
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      return await open(candidate, request);
    } catch (error) {
      failure = error;
    }
  }
  throw new NoAnswerError({ isLate: false, wasSent: false }, failure);
}

async function open(candidate: Candidate, request: Request): Promise<Opened> {
  const { method, path, headers, token, deadlineMs } = request;
  const pool = candidate.begin();
  try {
    const {
      statusCode,
      headers: answered,
      body,
    } = await pool.request({
      method,
      path,
      headers: { 'x-internal-token': token, ...headers },
      headersTimeout: deadlineMs,
      // Whoever sends it also sends heartbeats; a replica that is frozen sends none.
      bodyTimeout: SILENCE_MS,
    });
    const isRefused = statusCode >= 500 || statusCode === 401;
    if (!isRefused) candidate.opened();
    body.once('close', () => {
      candidate.report(isRefused ? 'answered' : 'unknown', isRefused);
    });
    // It is reported to whoever reads the body.
    body.on('error', () => undefined);
    return { status: statusCode, headers: answered, body };
  } catch (error) {
    const wasSent = error instanceof Error && !isNothingSent(error);
    candidate.report(wasSent ? 'failed' : 'refused', false);
    throw error;
  }
}

/** Three heartbeats of `http/event-stream.ts`. */
const SILENCE_MS = 30_000;
