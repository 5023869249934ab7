import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, NoAnswerError } from './errors.ts';
import { freshMoment, signRequest, type Identity } from './sign.ts';
import { readJson } from './wire.ts';

/** A server-sent event. `data` is undefined for the one that says where a stream begins. */
type Sent = { readonly id: string; readonly type: string; readonly data: unknown };

/** `again` asks for this message once more, with what is behind it: signed anew, after a pause that grows each time in a row. */
export type Message = Sent & { readonly again: () => void };

/** The service sends something every ten seconds: after this time the connection leads nowhere. */
const SILENCE_MS = 30_000;
/** Doubles with each break in a row. */
const PAUSE_MS = 50;
/** Doubles each time in a row that a message is asked for again. */
const AGAIN_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export type Stream = {
  readonly origin: URL;
  readonly identity: Identity;
  /** The path of the stream. */
  readonly path: string;
  /** Continues after this id. */
  readonly after: string | undefined;
  readonly ended: AbortSignal;
};

/**
 * Follows a stream through every break: each response ends after a minute, and connections break. It continues after the
 * last message that was taken, so none is lost; a message is taken when the next one is asked for, unless it is asked for
 * again. Each time that the stream opens, the first message says where.
 * @throws ApiError if the service refuses it, NoAnswerError if it cannot be reached at first
 */
export async function* follow(stream: Stream): AsyncGenerator<Message, void, undefined> {
  const { path, after, ended } = stream;
  let place = after;
  let breaks = 0;
  let agains = 0;
  let wasOpen = false;
  const isOver = () => ended.aborted;
  const again = () => {
    agains += 1;
  };
  while (!isOver()) {
    try {
      const target = place === undefined ? path : `${path}?after=${encodeURIComponent(place)}`;
      const response = await open(stream, target);
      wasOpen = true;
      for await (const sent of messagesOf(response)) {
        breaks = 0;
        const before = agains;
        yield { ...sent, again };
        // What was read behind it was signed long ago when its turn comes: all is read anew.
        if (agains > before) break;
        place = sent.id;
        if (sent.data !== undefined) agains = 0;
        if (isOver()) return;
      }
    } catch (error) {
      if (isOver()) return;
      throwIfFinal(error, wasOpen);
    }
    breaks += 1;
    const pauseMs = Math.max(PAUSE_MS * 2 ** breaks, AGAIN_PAUSE_MS * 2 ** agains);
    await wait(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal: ended }).catch(() => undefined);
  }
}

/** @throws ApiError if the service refused, NoAnswerError if it was never reached */
function throwIfFinal(error: unknown, wasOpen: boolean): void {
  if (error instanceof ApiError && error.status !== 429 && error.status < 500) throw error;
  if (!wasOpen && !(error instanceof ApiError)) throw new NoAnswerError(error, undefined);
}

/** @throws ApiError for any status but 200, Error for the page of a proxy */
async function open({ origin, identity, ended }: Stream, target: string): Promise<IncomingMessage> {
  const unsigned = { method: 'GET', target, idempotencyKey: '', body: Buffer.alloc(0) };
  const { authorization } = signRequest(identity, unsigned, freshMoment(new Date()));
  const send = origin.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send({
    host: origin.hostname.replace(/^\[|\]$/g, ''),
    port: origin.port === '' ? undefined : Number(origin.port),
    path: target,
    headers: { Authorization: authorization, Accept: 'text/event-stream' },
    signal: ended,
    agent: false,
    timeout: SILENCE_MS,
  });
  request.once('timeout', () => request.destroy(new Error('the connection was silent')));
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // It belongs to whoever reads the response from here on.
  request.on('error', () => undefined);
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  if (response.statusCode === 200 && isStream) return response;
  if (response.statusCode === 200) {
    response.destroy();
    throw new Error('the response is not from this API');
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  throw new ApiError({
    status: response.statusCode ?? 0,
    body: readJson(Buffer.concat(chunks).toString()),
    retryAfterSeconds: undefined,
    requestId: undefined,
    idempotencyKey: undefined,
  });
}

/** Reads `text/event-stream` as the service writes it: one line for each field, ended by line feeds. */
async function* messagesOf(response: IncomingMessage): AsyncGenerator<Sent, void, undefined> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]));
      const [id, type = 'message', data] = [fields.get('id'), fields.get('event'), fields.get('data')];
      if (id !== undefined) yield { id, type, data: data === undefined ? undefined : JSON.parse(data) };
    }
  }
}
