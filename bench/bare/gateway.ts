// What a signed call costs without any of our rules, first half: node:http in, one Ed25519 verification by node:crypto, one
// nonce in a grouped insert, the call passed on to the bare payments. See docs/benchmarks.md.
import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { Pool } from 'undici';
import { z } from 'zod';
import { canonicalString } from '../../packages/signing/src/canonical-request.ts';
import { listening } from '../processes/listening.ts';
import { reportToParent } from '../processes/report.ts';

const Config = z.object({ DATABASE_URL: z.string(), PAYMENTS_URL: z.string(), PARTNER_KEY_PEM: z.string() });
const Authorization = z.object({ sign: z.string(), timestamp: z.string(), nonce: z.string(), partnerID: z.string() });

const config = Config.parse(process.env);
const publicKey = createPublicKey(config.PARTNER_KEY_PEM);
const database = new pg.Pool({ connectionString: config.DATABASE_URL, max: 2, idleTimeoutMillis: 60_000 });
const payments = new Pool(config.PAYMENTS_URL, { connections: 64, pipelining: 1 });

let waiting: { readonly nonce: string; readonly decide: (isFresh: boolean) => void }[] = [];
let isWriting = false;

/** Nonces that come while a statement runs share the next one. */
function isFresh(nonce: string): Promise<boolean> {
  return new Promise((decide) => {
    waiting.push({ nonce, decide });
    if (!isWriting) void writeNonces();
  });
}

async function writeNonces(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    const { rows } = await database.query<{ nonce: string }>({
      name: 'nonces',
      text: 'insert into bare.nonces select unnest($1::text[]) on conflict do nothing returning nonce',
      values: [group.map(({ nonce }) => nonce)],
    });
    const fresh = new Set(rows.map(({ nonce }) => nonce));
    for (const { nonce, decide } of group) decide(fresh.has(nonce));
  }
  isWriting = false;
}

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = '', url: target = '' } = req;
  const idempotencyKey = String(req.headers['idempotency-key'] ?? '');
  const body = await buffer(req);
  const { sign, timestamp, nonce, partnerID } = Authorization.parse(JSON.parse(req.headers.authorization ?? '{}'));
  const text = canonicalString({ timestamp, nonce, method, target, idempotencyKey, body });
  const isSigned = verify(null, Buffer.from(text), publicKey, Buffer.from(sign, 'base64'));
  if (!isSigned || !(await isFresh(nonce))) {
    res.writeHead(401).end();
    return;
  }
  const headers = { 'x-partner': partnerID, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' };
  const answer = await payments.request({
    method: method === 'POST' ? 'POST' : 'GET',
    path: target,
    headers,
    body: body.length === 0 ? null : body,
  });
  const bytes = await answer.body.bytes();
  res.writeHead(answer.statusCode, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
}

const server = createServer((req, res) => {
  serve(req, res).catch((error: unknown) => {
    process.stderr.write(`bare gateway: ${String(error)}\n`);
    res.destroy();
  });
});
reportToParent();
listening(server);
