import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { generateKeyPairSync, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { canonicalString } from '@pay/signing/canonical-request.ts';
import { renderOpenSshKey, signText } from '@pay/signing/ed25519.ts';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { createTestDatabase } from '../../../tools/testing/database.ts';
import { startService, type ServiceProcess } from '../../../tools/testing/process.ts';
import { seedPartner } from '../src/use-cases/seed-partner.ts';

/** A partner with its private key. */
export type TestPartner = { readonly partnerID: string; readonly key: string; readonly privateKey: KeyObject };

/** What the service behind the gateway received. */
export type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A service behind the gateway, played by a real server. */
export type TestService = {
  readonly url: string;
  /** Which standing of its partners the gateway reported; `isAway`: the report failed. */
  readonly standings: { partnerId: string | undefined; status: string; revision: string }[];
  isAway: boolean;
  readonly seen: Seen[];
  /** What it answers from now on. */
  answer: { status: number; headers?: Record<string, string>; body?: string };
  /** Called instead of answering, when set. */
  hold: ((release: () => void) => void) | undefined;
  /** Accepts requests and closes the connection instead of answering. */
  cutOff: boolean;
  stop(): Promise<void>;
};

/** Vouches for operators. */
export const CONSOLE = testConsoleKey();

export const KEYS = {
  PAYMENTS_INTERNAL_TOKEN_KEY: randomBytes(32),
  BINDINGS_INTERNAL_TOKEN_KEY: randomBytes(32),
  WITHDRAWALS_INTERNAL_TOKEN_KEY: randomBytes(32),
  NOTIFIER_INTERNAL_TOKEN_KEY: randomBytes(32),
};

/** A database of the gateway with its schema, a connection as the service has it, and its owner's URL. */
export async function startTestDatabase(): Promise<{
  url: string;
  ownerUrl: string;
  database: Database;
  drop: () => Promise<void>;
}> {
  const created = await createTestDatabase('gateway');
  const { url, ownerUrl } = created;
  const database = openDatabase({ url, applicationName: 'gateway-test', onIdleError: () => undefined });
  return {
    url,
    ownerUrl,
    database,
    drop: async () => {
      await database.close();
      await created.drop();
    },
  };
}

/** Registers and activates a new partner, as the seed does. */
export async function givenPartner(database: Database, limit?: { ratePerSecond: number; burst: number }): Promise<TestPartner> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const partner = { partnerID: `partner-${randomUUID()}`, key: renderOpenSshKey(publicKey), privateKey };
  const fast = { ratePerSecond: 100_000, burst: 100_000 };
  await seedPartner(database.db, {
    partnerID: partner.partnerID,
    publicKey: partner.key,
    name: 'Test',
    limit: limit ?? fast,
  });
  return partner;
}

export async function startTestService(): Promise<TestService> {
  const partnerOf = internalTokenVerifier('payments', KEYS.PAYMENTS_INTERNAL_TOKEN_KEY);
  const server = createServer((req, res) => {
    void buffer(req).then((body) => {
      // The gateway's own call whenever a partner changes.
      if (req.url === '/internal/partner-standing') {
        const said = JSON.parse(body.toString()) as { status: string; revision: string };
        service.standings.push({ partnerId: partnerOf(String(req.headers['x-internal-token'])), ...said });
        res.writeHead(service.isAway ? 500 : 200, { 'Content-Type': 'application/json' }).end('{}');
        return;
      }
      service.seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      const reply = () => {
        const { status, headers, body: text } = service.answer;
        const own = { 'Content-Type': 'application/json', 'X-Request-Id': String(req.headers['x-request-id']) };
        res.writeHead(status, { ...own, ...headers }).end(text ?? '{}');
      };
      if (service.cutOff) req.socket.destroy();
      else if (service.hold === undefined) reply();
      else service.hold(reply);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const service: TestService = {
    url: `http://127.0.0.1:${String(port)}`,
    seen: [],
    standings: [],
    isAway: false,
    answer: { status: 200 },
    hold: undefined,
    cutOff: false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return service;
}

/** A gateway in a process of its own. All its services are `serviceUrl` unless `env` says otherwise. */
export function startGateway(databaseUrl: string, serviceUrl: string, env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const keys = Object.entries(KEYS).map(([name, key]) => [name, key.toString('base64')] as const);
  return startService('gateway', {
    ENVIRONMENT: 'TEST',
    DATABASE_URL: databaseUrl,
    PAYMENTS_URL: serviceUrl,
    BINDINGS_URL: serviceUrl,
    WITHDRAWALS_URL: serviceUrl,
    NOTIFIER_URL: serviceUrl,
    OPERATOR_IDENTITY_PUBLIC_KEYS: CONSOLE.publicKey,
    ...Object.fromEntries(keys),
    ...env,
  });
}

/** A request before it is signed. */
export type Draft = {
  readonly method?: string;
  readonly target?: string;
  readonly idempotencyKey?: string;
  readonly body?: string | Buffer;
  /** Seconds from now. */
  readonly clockOffset?: number;
  readonly timestamp?: string;
  readonly nonce?: string;
};

export const freshNonce = () => randomBytes(18).toString('base64url');

/** The members of the Authorization header for a request. */
export function authorize(partner: TestPartner, draft: Draft): Record<string, unknown> {
  const timestamp = draft.timestamp ?? String(Math.floor(Date.now() / 1_000) + (draft.clockOffset ?? 0));
  const nonce = draft.nonce ?? freshNonce();
  const text = canonicalString({
    timestamp,
    nonce,
    method: draft.method ?? 'GET',
    target: draft.target ?? '/v1/bindings',
    idempotencyKey: draft.idempotencyKey ?? '',
    body: Buffer.from(draft.body ?? ''),
  });
  return { partnerID: partner.partnerID, key: partner.key, sign: signText(partner.privateKey, text), timestamp, nonce };
}

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Writes bytes to a socket and reads one answer. Unlike an HTTP client, it corrects nothing. */
export function sendRaw(base: string, ...parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = Buffer.alloc(0);
    const finish = () => {
      const answer = parseAnswer(received);
      if (answer === undefined) return false;
      resolve(answer);
      socket.destroy();
      return true;
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      finish();
    });
    socket.on('error', (error) => {
      if (!finish()) reject(error);
    });
    socket.on('close', () => {
      if (!finish()) reject(new Error(`no answer, got: ${received.toString('latin1')}`));
    });
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer in 20 s')));
    for (const part of parts) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  });
}

function parseAnswer(received: Buffer): RawAnswer | undefined {
  let text = received.toString('latin1');
  while (text.startsWith('HTTP/1.1 100 ')) text = text.slice(text.indexOf('\r\n\r\n') + 4);
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() };
}

/** A request as bytes. `headers` are literal lines; Content-Length is added for a body unless they name one. */
export function requestBytes(options: {
  readonly method?: string;
  readonly target?: string;
  readonly authorization?: unknown;
  readonly idempotencyKey?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}): Buffer {
  const body = Buffer.from(options.body ?? '');
  const { authorization } = options;
  const extra = options.headers ?? [];
  const named = (name: string) => extra.some((line) => line.toLowerCase().startsWith(`${name}:`));
  const lines = [
    `${options.method ?? 'GET'} ${options.target ?? '/v1/bindings'} HTTP/1.1`,
    ...(named('host') ? [] : ['Host: gateway.test']),
    ...(authorization === undefined
      ? []
      : [`Authorization: ${typeof authorization === 'string' ? authorization : asciiJson(authorization)}`]),
    ...(options.idempotencyKey === undefined || options.idempotencyKey === '' ? [] : [`Idempotency-Key: ${options.idempotencyKey}`]),
    ...(body.length > 0 && !named('content-type') ? ['Content-Type: application/json'] : []),
    ...(body.length > 0 && !named('content-length') && !named('transfer-encoding') ? [`Content-Length: ${String(body.length)}`] : []),
    ...extra,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Signs a draft and sends it over its own socket. */
export function sendSigned(base: string, partner: TestPartner, draft: Draft = {}): Promise<RawAnswer> {
  return sendRaw(base, requestBytes({ ...draft, authorization: authorize(partner, draft) }));
}

/** The cause that a 401 names in TEST. */
export function causeOf(answer: RawAnswer): string | undefined {
  return detailOf(answer, 'cause');
}

export function detailOf(answer: RawAnswer, field: string): string | undefined {
  const body: unknown = JSON.parse(answer.body);
  if (typeof body !== 'object' || body === null || !('details' in body) || !Array.isArray(body.details)) return undefined;
  const entries: unknown[] = body.details;
  for (const entry of entries) {
    if (typeof entry === 'object' && entry !== null && 'field' in entry && entry.field === field && 'message' in entry) {
      return String(entry.message);
    }
  }
  return undefined;
}

/** JSON in ASCII: a header carries nothing else. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Waits until `find` finds something: what follows an answer, such as its log line, comes a moment later. */
export async function eventually<T>(find: () => T | undefined | Promise<T | undefined>, deadlineMs = 10_000): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`nothing found in ${String(deadlineMs)} ms`);
    await wait(20);
  }
}

/** A connection to the database that can be cut. */
export async function startCuttableWay(databaseUrl: string): Promise<{ url: string; cut: () => void; mend: () => void; stop: () => void }> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createTcpServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`;
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
