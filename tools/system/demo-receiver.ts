// The demo partner's server: receives callbacks, verifies them, keeps the last ones and shows them. It also serves the
// shop's
// page that a buyer returns to.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { verifyCallback } from '../../packages/sdk/src/callbacks.ts';

/** What is shown about a callback. The body is shown as received: it contains no card data. */
export type ReceivedCallback = {
  readonly receivedAt: string;
  readonly verified: boolean;
  readonly eventId: string;
  readonly type: string;
  /** Our payment's id, by its name in the event. */
  readonly orderId: string | undefined;
  readonly aggregateVersion: number | undefined;
  readonly body: string;
};

const KEPT = 200;
const BODY_BYTES_MAX = 64 * 1024;
const received: ReceivedCallback[] = [];

const { HOST = '127.0.0.1', PORT = '0', SECRET_FILE = '' } = process.env;

/** Read for every callback: the secret is issued after this program starts, and may be rotated. */
function keys() {
  try {
    const { keyId, secret } = JSON.parse(readFileSync(SECRET_FILE, 'utf8')) as { keyId: string; secret: string };
    return [{ keyId, secret }];
  } catch {
    return [];
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) {
    response.writeHead(413).end();
    return;
  }
  const header = (name: string) => String(request.headers[name.toLowerCase()] ?? '');
  const verified = verifyCallback(body, request.headers, keys(), new Date()).ok;
  const event = parse(body);
  received.unshift({
    receivedAt: new Date().toISOString(),
    verified,
    eventId: header('X-Service-Event-ID'),
    type: header('X-Service-Event-Type'),
    orderId: event.data?.orderId,
    aggregateVersion: event.aggregateVersion,
    body: body.toString('utf8'),
  });
  received.length = Math.min(received.length, KEPT);
  // The contract's rules for receivers: 401 if verification fails. The sender takes that as final, so the secret must
  // exist first.
  response.writeHead(verified ? 200 : 401).end();
}

function parse(body: Buffer): { aggregateVersion?: number; data?: { orderId?: string } } {
  try {
    return JSON.parse(body.toString('utf8')) as { aggregateVersion?: number; data?: { orderId?: string } };
  } catch {
    return {};
  }
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top}pre{white-space:pre-wrap;word-break:break-word;margin:0}</style>
<h1>${title}</h1>${content}</html>`;
}

function listPage(): string {
  const rows = received.map(
    (callback) =>
      `<tr><td>${callback.receivedAt}<td>${callback.verified ? 'verified' : '<strong>not verified</strong>'}` +
      `<td>${escape(callback.type)}<td>${String(callback.aggregateVersion ?? '')}<td><pre>${escape(callback.body)}</pre>`,
  );
  return page(
    'Callbacks of the demo partner',
    `<meta http-equiv="refresh" content="5"><p>${String(received.length)} received since the start, newest first.</p>
<table><tr><th>At<th>Signature<th>Type<th>Version<th>Body</tr>${rows.join('')}</table>`,
  );
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://receiver');
  const html = (text: string) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  if (request.method === 'POST' && pathname === '/callbacks') {
    receive(request, response).catch(() => response.destroy());
  } else if (pathname === '/readyz') response.writeHead(200).end();
  else if (pathname === '/callbacks.json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received));
  } else if (pathname.startsWith('/return')) {
    html(page('Back in the shop', '<p>The order page of the demo partner. <a href="/">Received callbacks</a></p>'));
  } else if (pathname === '/') html(listPage());
  else response.writeHead(404).end();
});
server.listen(Number(PORT), HOST);
process.on('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
