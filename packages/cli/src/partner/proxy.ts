import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Command } from 'commander';
import { connectTo, type Connection } from '@pay/sdk/http.ts';
import { freshMoment, signRequest, type Identity } from '@pay/sdk/sign.ts';
import { contextOf } from '../context.ts';
import { usage } from '../fault.ts';
import { identityOf } from '../profile.ts';

/** Our limit: the service refuses a larger body as well. */
const BODY_BYTES_MAX = 64 * 1024;
const TIMEOUT_MS = 30_000;
const LOOPBACK = '127.0.0.1';

/** `pay proxy`: signs the requests of any HTTP tool. */
export function addProxy(program: Command): void {
  program
    .command('proxy')
    .description('listen on this machine, sign each plain request and forward it; the private key stays on disk')
    .option('--port <port>', 'default: any free one', '0')
    .action(async (options: { port: string }, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      if (!/^\d{1,5}$/.test(options.port)) throw usage('--port must be a number');
      const identity = identityOf(profile);
      const connection = connectTo(new URL(profile.baseUrl));
      const server = createServer((req, res) => {
        forward(req, res, identity, connection).catch((error: unknown) => {
          plain(res, 502, error instanceof Error ? error.message : String(error));
        });
      });
      server.listen(Number(options.port), LOOPBACK);
      await once(server, 'listening');
      const address = server.address();
      const port = address === null || typeof address === 'string' ? 0 : address.port;
      const url = `http://${LOOPBACK}:${String(port)}`;
      output.result(`${url} signs as ${profile.partnerID} and sends to ${profile.baseUrl}; press Ctrl-C to stop`, {
        url,
      });
      const ended = new AbortController();
      const end = () => {
        ended.abort();
      };
      process.once('SIGINT', end);
      process.once('SIGTERM', end);
      await once(ended.signal, 'abort');
      server.close();
      server.closeAllConnections();
      connection.close();
    });
}

async function forward(req: IncomingMessage, res: ServerResponse, identity: Identity, connection: Connection): Promise<void> {
  const foreign = foreignCaller(req);
  if (foreign !== undefined) {
    plain(res, 403, foreign);
    return;
  }
  const body = await readBody(req);
  if (body === undefined) {
    plain(res, 413, 'the body is larger than 64 KiB');
    return;
  }
  const method = req.method ?? 'GET';
  const target = req.url ?? '/';
  const { idempotencyKey, isMade } = keyOf(req);
  const { authorization } = signRequest(identity, { method, target, idempotencyKey, body }, freshMoment(new Date()));
  const contentType = req.headers['content-type'] ?? (body.length === 0 ? undefined : 'application/json');
  const answer = await connection.send({
    method,
    target,
    body,
    timeoutMs: TIMEOUT_MS,
    headers: {
      Authorization: authorization,
      ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    },
  });
  for (const name of ['content-type', 'retry-after', 'idempotency-replayed', 'allow', 'x-request-id']) {
    const value = answer.headers[name];
    if (typeof value === 'string') res.setHeader(name, value);
  }
  // The tool did not choose a key: a repeat needs the one that was made.
  if (isMade) res.setHeader('Idempotency-Key', idempotencyKey);
  res.writeHead(answer.status).end(answer.body);
}

/** The key of the tool, or a new one for a POST without any. */
function keyOf({ method, headers }: IncomingMessage): { idempotencyKey: string; isMade: boolean } {
  const given = headers['idempotency-key'];
  if (typeof given === 'string') return { idempotencyKey: given, isMade: false };
  return method === 'POST' ? { idempotencyKey: randomUUID(), isMade: true } : { idempotencyKey: '', isMade: false };
}

/**
 * This port signs any request, so web pages must not reach it: a browser reveals the page in Origin or Sec-Fetch-Site,
 * and DNS rebinding shows in Host.
 */
function foreignCaller(req: IncomingMessage): string | undefined {
  const { origin, host = '' } = req.headers;
  const site = req.headers['sec-fetch-site'];
  if (origin !== undefined || (site !== undefined && site !== 'none')) return 'not for web pages';
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host) ? undefined : 'use the name 127.0.0.1 or localhost';
}

async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function plain(res: ServerResponse, status: number, sentence: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: sentence, code: 'PROXY' }));
}
