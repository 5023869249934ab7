import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** A span as it was sent, with the program that sent it. Attribute values are JSON as OTLP writes them. */
export type CollectedSpan = {
  readonly service: string;
  /** Of the process: another one after a restart. */
  readonly instance: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The traces that it is linked with. */
  readonly links: readonly string[];
};

/** What an OpenTelemetry collector gets (OTLP over HTTP, JSON), played by a real server. */
export type Collector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was sent, as it was sent. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
};

const Attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }),
    }),
  )
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ''])));

const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              attributes: Attributes,
              links: z.array(z.object({ traceId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      bodies.push(body);
      spans.push(...spansOf(body));
      res.setHeader('Content-Type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    spans,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf(body: string): CollectedSpan[] {
  return Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource: { attributes: of }, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ parentSpanId, links, ...span }) => ({
        ...span,
        service: String(of['service.name']),
        instance: String(of['service.instance.id']),
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        links: links.map(({ traceId }) => traceId),
      })),
    ),
  );
}
