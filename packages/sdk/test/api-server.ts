import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { canonicalString } from '@pay/signing/canonical-request.ts';
import { parseOpenSshKey, parseSignature, publicKeyOf, verifyText } from '@pay/signing/ed25519.ts';

/** A request whose signature was verified over the exact bytes received. */
export type SignedRequest = {
  readonly method: string;
  readonly target: string;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly authorization: Readonly<Record<string, string>>;
};

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as is. */
  readonly text?: string;
  /** Cuts the connection instead of responding. */
  readonly cut?: boolean;
  /** Writes the response itself. */
  readonly respond?: (request: SignedRequest, res: ServerResponse) => void;
  /** The end of the response is that of the connection. */
  readonly withoutLength?: boolean;
  /** Called before the response is written. */
  readonly onRequest?: () => void;
};

export type ApiServer = {
  readonly url: string;
  readonly port: number;
  /** All verified requests, in order. */
  readonly requests: readonly SignedRequest[];
  /** Responses to the next requests; the last one repeats. */
  reply(...replies: readonly Reply[]): void;
  close(): Promise<void>;
};

/** The public API as a partner sees it: refuses invalid signatures and used nonces, and responds as instructed. */
export async function startApiServer(partner: { partnerID: string; publicKey: string }): Promise<ApiServer> {
  const requests: SignedRequest[] = [];
  const nonces = new Set<string>();
  let replies: readonly Reply[] = [{ status: 200, body: {} }];

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const request = verified(req, Buffer.concat(chunks), partner, nonces);
    if (request === undefined) {
      res.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"unauthorized","code":"UNAUTHORIZED"}');
      return;
    }
    requests.push(request);
    const reply = replies.length > 1 ? replies[0] : replies.at(-1);
    reply?.onRequest?.();
    if (replies.length > 1) replies = replies.slice(1);
    if (reply === undefined || reply.cut === true) {
      req.socket.destroy();
      return;
    }
    if (reply.respond !== undefined) {
      reply.respond(request, res);
      return;
    }
    if (reply.withoutLength === true) res.useChunkedEncodingByDefault = res.shouldKeepAlive = false;
    res.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
    res.end(reply.text ?? JSON.stringify(reply.body ?? {}));
  }

  const server = createServer((req, res) => {
    void handle(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    port: address.port,
    requests,
    reply: (...given) => {
      replies = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function verified(
  req: IncomingMessage,
  body: Buffer,
  partner: { partnerID: string; publicKey: string },
  nonces: Set<string>,
): SignedRequest | undefined {
  const authorization = readAuthorization(req.headers.authorization ?? '');
  const { partnerID, key, sign, timestamp, nonce } = authorization;
  const keyBytes = parseOpenSshKey(partner.publicKey);
  const signature = parseSignature(sign ?? '');
  if (partnerID !== partner.partnerID || key !== partner.publicKey || keyBytes === undefined) return undefined;
  if (signature === undefined || timestamp === undefined || nonce === undefined || nonces.has(nonce)) return undefined;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return undefined;
  const idempotencyKeys = req.headersDistinct['idempotency-key'] ?? [];
  const request = { method: req.method ?? '', target: req.url ?? '', idempotencyKey: idempotencyKeys[0] ?? '' };
  const canonical = canonicalString({ ...request, timestamp, nonce, body });
  if (idempotencyKeys.length > 1 || !verifyText(publicKeyOf(keyBytes), canonical, signature)) return undefined;
  nonces.add(nonce);
  return { ...request, body: body.toString('utf8'), authorization };
}

function readAuthorization(header: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(header);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
