import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Gauge } from 'prom-client';
import { registry } from '../telemetry/metrics.ts';
import { whenDraining } from './server.ts';

/** One message of a stream. `id` continues the stream after it; the one that says where it began has no `data`. */
export type StreamedMessage = { readonly id: string; readonly type?: string; readonly data?: unknown };

/** Batches of messages, in order, until `ended` is aborted. An item is read only when the one before it was sent. */
export type StreamSource = (ended: AbortSignal) => AsyncIterable<readonly StreamedMessage[]>;

type Limits = {
  /** A response ends after this time: its client signs a new request, and a key that was revoked meanwhile is refused. */
  readonly lifetimeMs: number;
  /** A comment is sent this often, so that nothing on the way takes the connection for dead. */
  readonly heartbeatMs: number;
  /** How long a client may leave its connection full before it is cut. It continues where it was. */
  readonly slowMs: number;
};

const LIMITS: Limits = { lifetimeMs: 60_000, heartbeatMs: 10_000, slowMs: 10_000 };
/** What a client that was cut should wait before it comes again. */
const RETRY_MS = 500;

const openStreams = new Gauge({
  name: 'event_streams_open',
  help: 'Streams that clients hold open, by kind.',
  labelNames: ['stream'],
  registers: [registry],
});

/** Whether a response is such a stream: how long it lasts says nothing about the latency of the API. */
export const isStream = (res: ServerResponse): boolean => String(res.getHeader('content-type')).startsWith('text/event-stream');

/**
 * Sends server-sent events until the client leaves, the lifetime is over or the process drains
 * (decisions/event-stream). Nothing is queued: while the connection is full, nothing is read from `source`.
 */
export async function sendEventStream(res: ServerResponse, stream: string, source: StreamSource, limits: Limits = LIMITS): Promise<void> {
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  const lifetime = setTimeout(end, limits.lifetimeMs);
  const heartbeat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n');
  }, limits.heartbeatMs);
  res.once('close', end);
  const forget = whenDraining(res, end);
  // It left before there was anything to send.
  if (res.closed) end();
  openStreams.inc({ stream });
  try {
    res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    res.write(`retry: ${String(RETRY_MS)}\n\n`);
    for await (const messages of source(ended.signal)) {
      if (res.write(messages.map(render).join('')) || res.destroyed) continue;
      await once(res, 'drain', { signal: AbortSignal.any([AbortSignal.timeout(limits.slowMs), ended.signal]) });
    }
    res.end();
  } catch {
    // The client left or reads too slowly, or the source failed: it comes again with the id that it has.
    res.destroy();
  } finally {
    openStreams.dec({ stream });
    clearTimeout(lifetime);
    clearInterval(heartbeat);
    res.off('close', end);
    forget();
  }
}

function render({ id, type, data }: StreamedMessage): string {
  if (data === undefined) return `id: ${id}\n\n`;
  return `id: ${id}\n${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}
