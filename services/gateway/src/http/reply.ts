import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiError } from '@pay/shared/errors/api-error.ts';
import { ANSWER_HEADERS } from '@pay/shared/http/answer-headers.ts';
import { BODY_BYTES_MAX } from '@pay/shared/http/app.ts';
import { letGoFirst } from '@pay/shared/http/connections.ts';
import { errorBody } from '@pay/shared/http/error-middleware.ts';
import type { StreamedAnswer } from '../forwarding/forwarder.ts';
import type { CallRecord } from './call-record.ts';

/** The response, from the service or from the gateway itself. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
};

/** How long incoming bytes are still read and discarded after a response to a request that was not read completely. */
const LINGER_MS = 1_000;

/** Renders a refusal. See spec/decisions#error-body. */
export function replyOf(error: ApiError, requestId: string): Reply {
  return {
    status: error.status,
    headers: {
      'Content-Type': 'application/json',
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
      ...(error.allow === undefined ? {} : { Allow: error.allow.join(', ') }),
    },
    body: JSON.stringify(errorBody(error, requestId)),
  };
}

/** How long an address that floods us waits for each response. */
const HOLD_MS = 1_000;

/**
 * Stops reading from a connection for a second. A flooding sender gets one response per second and connection, and
 * costs a timer instead of CPU time.
 */
export async function holdBack(socket: Socket): Promise<void> {
  socket.pause();
  letGoFirst(socket);
  await wait(HOLD_MS, undefined, { ref: false });
}

/**
 * Sends a response. Closes the connection if its request is longer than we read, or if the connection is not wanted.
 */
export function send(req: IncomingMessage, res: ServerResponse, reply: Reply, call: CallRecord): void {
  const length = typeof reply.body === 'string' ? Buffer.byteLength(reply.body) : reply.body.length;
  const headers: Record<string, string | number> = {
    ...reply.headers,
    ...ANSWER_HEADERS,
    'Content-Length': length,
    'X-Request-Id': call.requestId,
  };
  if (call.isFlood === true) headers['Connection'] = 'close';
  if (!req.complete && mayGoOn(req)) {
    headers['Connection'] = 'close';
    lingerThenClose(req, res);
  }
  res.writeHead(reply.status, headers).end(reply.body);
}

/** Sends a response that goes on, until it ends. */
export async function sendStream(res: ServerResponse, { sendTo }: StreamedAnswer, call: CallRecord): Promise<void> {
  for (const [name, value] of Object.entries(ANSWER_HEADERS)) res.setHeader(name, value);
  res.setHeader('X-Request-Id', call.requestId);
  await sendTo(res);
}

/** A body within the limit is read to its end and discarded; one that may be longer is not. */
function mayGoOn(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX;
}

/**
 * Closing a socket with unread bytes resets it, and the reset can overtake the response. So incoming bytes are
 * discarded for a moment, which lets the client read the reason.
 */
function lingerThenClose(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req;
  res.on('finish', () => {
    req.resume();
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(cut);
    });
  });
}
