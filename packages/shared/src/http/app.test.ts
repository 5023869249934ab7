import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import pg from 'pg';
import { CircuitOpenError } from '../breaker/breaker.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { createLog } from '../logging/logger.ts';
import { currentRequestId, noteCommit } from '../logging/request-context.ts';
import { BODY_BYTES_MAX, bodySha256, createApp, jsonBody, rawBody } from './app.ts';
import { listen, type Listener, type Unreadable } from './server.ts';

const log = createLog('test', 'silent');
const REQUEST_ID = '0b6ab0b1-6c1c-4b8e-9d5c-2f0b8a1c9a11';
const ABC_SHA256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.drain(0);
  listener = undefined;
});

async function serve(
  routes: (app: Express) => void,
  options: { requestIdFrom?: 'caller' | 'edge'; headersTimeoutMs?: number } = {},
): Promise<string> {
  const app = createApp({ listener: 'api', log, requestIdFrom: options.requestIdFrom ?? 'edge', routes });
  const { headersTimeoutMs } = options;
  const limits = headersTimeoutMs === undefined ? {} : { headersTimeoutMs, checkEveryMs: 10 };
  listener = await listen(app, '127.0.0.1', 0, limits);
  return `http://127.0.0.1:${String(listener.port)}`;
}

const echo = (app: Express) => {
  app.post('/echo', (req, res) => {
    res.json({ bytes: rawBody(req).length, sha256: bodySha256(req), requestId: currentRequestId() });
  });
  app.post('/json', (req, res) => {
    res.json({ taken: jsonBody(req) !== undefined });
  });
};

/** A connection that writes exactly the given bytes and collects the response. */
async function dial(base: string): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').catch(() => undefined);
  await once(socket, 'connect');
  return { socket, received: () => text, closed };
}

/** Waits for the bytes themselves, however busy the machine is; jest's timeout ends the wait. */
async function untilReceived(received: () => string, part: string): Promise<void> {
  while (!received().includes(part)) await wait(5);
}

describe('every listener', () => {
  it('keeps the body as the bytes that came', async () => {
    const base = await serve(echo);
    // The example of FIPS 180-2, so that the digest is known independently.
    const response = await fetch(`${base}/echo`, { method: 'POST', body: 'abc' });
    expect(await response.json()).toMatchObject({ bytes: 3, sha256: ABC_SHA256 });
    const empty = await fetch(`${base}/echo`, { method: 'POST' });
    expect(await empty.json()).toMatchObject({ bytes: 0, sha256: EMPTY_SHA256 });
  });

  it('takes a body of 64 KiB and 413 PAYLOAD_TOO_LARGE: one byte more', async () => {
    const base = await serve(echo);
    const most = await fetch(`${base}/echo`, { method: 'POST', body: Buffer.alloc(BODY_BYTES_MAX) });
    expect(await most.json()).toMatchObject({ bytes: BODY_BYTES_MAX });
    const more = await fetch(`${base}/echo`, { method: 'POST', body: Buffer.alloc(BODY_BYTES_MAX + 1) });
    expect(more.status).toBe(413);
    expect(await more.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('413 PAYLOAD_TOO_LARGE: a body without Content-Length, answered before its end, which never comes', async () => {
    const { socket, received, closed } = await dial(await serve(echo));
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = Buffer.alloc(16 * 1024, 'x');
    for (let sent = 0; sent <= BODY_BYTES_MAX; sent += chunk.length) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n');
    }
    await untilReceived(received, 'PAYLOAD_TOO_LARGE');
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    await closed;
  });

  it.each([
    ['no content type', {}],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['a type that only begins like it', { 'Content-Type': 'application/json-seq' }],
  ])('415 UNSUPPORTED_MEDIA_TYPE: %s', async (_name, headers) => {
    const base = await serve(echo);
    const response = await fetch(`${base}/json`, { method: 'POST', headers, body: Buffer.from('{}') });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it.each(['application/json;', 'application/json; charset=utf8', 'Application/JSON;;charset="UTF-8"'])(
    'JSON is taken as %j (K7)',
    async (type) => {
      const base = await serve(echo);
      const response = await fetch(`${base}/json`, { method: 'POST', headers: { 'Content-Type': type }, body: '{}' });
      expect([response.status, await response.json()]).toEqual([200, { taken: true }]);
    },
  );

  it.each(['Identity', ', identity', ''])('a body that is not compressed, whatever says so: %j (K7)', async (coding) => {
    const base = await serve(echo);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    const response = await fetch(`${base}/json`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(200);
  });

  it('415 UNSUPPORTED_MEDIA_TYPE: a compressed body, which could unpack to anything', async () => {
    const base = await serve(echo);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const response = await fetch(`${base}/json`, { method: 'POST', headers, body: Buffer.from('{}') });
    expect(response.status).toBe(415);
  });

  it.each(['/things/%00', '/things/a%00b?q=1'])('404: U+0000 in a path, which no database can look for: %s', async (target) => {
    const base = await serve((app) => {
      app.get('/things/:id', (_req, res) => res.json({}));
    });
    expect((await fetch(`${base}${target}`)).status).toBe(404);
  });

  it('400: a path that is not UTF-8 is refused as that (K6)', async () => {
    const base = await serve((app) => {
      app.get('/things/:id', (_req, res) => res.json({}));
    });
    const answer = await fetch(`${base}/things/%FF`);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: [{ field: 'path', message: 'must be UTF-8 once it is percent-decoded' }] },
    ]);
  });

  it('431: headers over 16 KiB', async () => {
    const { socket, received, closed } = await dial(await serve(echo));
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`);
    await untilReceived(received, '}');
    expect(received()).toMatch(/^HTTP\/1\.1 431 .*"code":"VALIDATION_FAILED","requestId":"[0-9a-f-]{36}"/s);
    socket.destroy();
    await closed;
  });

  it('400: what is not HTTP', async () => {
    const { socket, received, closed } = await dial(await serve(echo));
    socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n');
    await untilReceived(received, '}');
    expect(received()).toMatch(/^HTTP\/1\.1 400 .*"code":"VALIDATION_FAILED"/s);
    socket.destroy();
    await closed;
  });

  it('400: Content-Length and Transfer-Encoding together, which two servers read differently', async () => {
    const { socket, received, closed } = await dial(await serve(echo));
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    await untilReceived(received, '}');
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
    await closed;
  });

  it('408: a client that sends its headers too slowly', async () => {
    const { socket, received, closed } = await dial(await serve(echo, { headersTimeoutMs: 50 }));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await untilReceived(received, '}');
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
    await closed;
  });

  it('what is no HTTP is told apart from what no application saw: its id, why, and from where', async () => {
    const heard: Unreadable[] = [];
    const onUnreadable = (unreadable: Unreadable) => {
      heard.push(unreadable);
    };
    listener = await listen(() => undefined, '127.0.0.1', 0, { onUnreadable });
    const { socket, received, closed } = await dial(`http://127.0.0.1:${String(listener.port)}`);
    socket.write('GIVE ME THAT\r\n\r\n');
    await untilReceived(received, '}');
    const requestId = /X-Request-Id: (\S+)/.exec(received())?.[1];
    expect(received()).toContain(`"requestId":"${String(requestId)}"`);
    expect(heard).toEqual([{ requestId, status: 400, cause: expect.stringMatching(/^HPE_/), address: '127.0.0.1' }]);
    socket.destroy();
    await closed;
  });

  it('makes the request id at the edge, and takes a caller’s where the caller is trusted', async () => {
    const atEdge = await serve(echo);
    const headers = { 'X-Request-Id': REQUEST_ID };
    const fromEdge = await fetch(`${atEdge}/echo`, { method: 'POST', headers, body: 'x' });
    const own = fromEdge.headers.get('x-request-id');
    expect(own).toMatch(/^[0-9a-f-]{36}$/);
    expect(own).not.toBe(REQUEST_ID);
    // In the route, after the body was read: what is logged or recorded there has the id.
    expect(await fromEdge.json()).toMatchObject({ requestId: own });
    await listener?.drain(0);

    const inside = await serve(echo, { requestIdFrom: 'caller' });
    const fromCaller = await fetch(`${inside}/echo`, { method: 'POST', headers, body: 'x' });
    expect(await fromCaller.json()).toMatchObject({ requestId: REQUEST_ID });
    const strange = await fetch(`${inside}/echo`, { method: 'POST', headers: { 'X-Request-Id': 'a\tb' }, body: 'x' });
    expect(strange.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('does not tell what it is made of', async () => {
    const response = await fetch(`${await serve(echo)}/nowhere`);
    expect(response.status).toBe(404);
    expect([...response.headers.keys()].toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'keep-alive',
      'strict-transport-security',
      'x-content-type-options',
      'x-request-id',
    ]);
    expect(await response.json()).toEqual({
      error: 'not found',
      code: 'NOT_FOUND',
      requestId: response.headers.get('x-request-id'),
    });
  });
});

describe('what a route throws', () => {
  const throwing = (thrown: () => unknown) => (app: Express) => {
    app.all('/', () => {
      throw thrown();
    });
  };
  const answerTo = async (thrown: unknown, method = 'GET') => {
    const response = await fetch(await serve(throwing(() => thrown)), { method });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };

  it('is answered as the refusal it is, with details, members and Retry-After', async () => {
    const { status, headers, body } = await answerTo(
      new ApiError('PERIOD_NOT_ELAPSED', {
        members: { nextChargeAt: '2026-03-01T12:00:00.000Z' },
        retryAfterSeconds: 7,
      }),
    );
    expect(status).toBe(409);
    expect(headers.get('retry-after')).toBe('7');
    expect(body).toEqual({
      error: 'the recurring period has not elapsed',
      code: 'PERIOD_NOT_ELAPSED',
      requestId: headers.get('x-request-id'),
      nextChargeAt: '2026-03-01T12:00:00.000Z',
    });
  });

  it('500 INTERNAL_ERROR: the unexpected, without a word about it', async () => {
    const { status, headers, body } = await answerTo(new Error('relation "cards" does not exist'));
    expect(status).toBe(500);
    expect(body).toEqual({ error: 'internal error', code: 'INTERNAL_ERROR', requestId: headers.get('x-request-id') });
  });

  /** As PostgreSQL reports it, wrapped as drizzle does. */
  const unkeepable = (code: string) =>
    new Error('Failed query', { cause: Object.assign(new pg.DatabaseError('out of range', 0, 'error'), { code }) });
  const STATES = ['22001', '22003', '22007', '22008', '22021', '22P02', '22P05', '54000'];

  it.each(STATES.flatMap((state) => [[state, 'GET'] as const, [state, 'POST'] as const]))(
    '400 VALIDATION_FAILED: a value that the database cannot keep, of whatever kind: %s of a %s (K1)',
    async (state, method) => {
      const { status, body } = await answerTo(unkeepable(state), method);
      expect([status, body]).toMatchObject([
        400,
        { code: 'VALIDATION_FAILED', details: [{ field: 'request', message: 'has a value that cannot be kept' }] },
      ]);
    },
  );

  it('500 INTERNAL_ERROR: the same after a commit: what failed may be a bank’s, and something did change (K1)', async () => {
    const base = await serve((app) => {
      app.post('/', () => {
        noteCommit();
        throw unkeepable('22021');
      });
    });
    expect((await fetch(base, { method: 'POST' })).status).toBe(500);
  });

  it('500 INTERNAL_ERROR: another error of the database is ours', async () => {
    expect((await answerTo(unkeepable('42703'))).status).toBe(500);
  });

  it('a value that a codec let through is a warning, with the route where it is missing (K1)', async () => {
    const heard: unknown[] = [];
    const hear = (level: string) => (message: string, fields?: object) => {
      heard.push({ level, message, ...fields });
    };
    const app = createApp({
      listener: 'api',
      log: { debug: hear('debug'), info: () => undefined, warn: hear('warn'), error: hear('error') },
      requestIdFrom: 'edge',
      routes: (routes) => {
        routes.get('/things/:id', () => {
          throw unkeepable('22008');
        });
      },
    });
    listener = await listen(app, '127.0.0.1', 0);
    await fetch(`http://127.0.0.1:${String(listener.port)}/things/7?from=x`);
    const message = 'a codec let a value through that the database cannot keep';
    expect(heard).toEqual([{ level: 'warn', message, method: 'GET', route: '/things/:id', err: expect.any(Error) }]);
  });

  const AWAY: readonly (readonly [string, Error])[] = [
    ['an open breaker', new CircuitOpenError('bank')],
    ['a database that is away', new Error('query failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) })],
    ['a lock that took too long', new Error('timeout exceeded when trying to connect')],
  ];

  it.each(AWAY)('503 SERVICE_UNAVAILABLE with Retry-After of a read: %s', async (_name, thrown) => {
    const { status, headers, body } = await answerTo(thrown);
    expect([status, headers.get('retry-after'), body['code']]).toEqual([503, '5', 'SERVICE_UNAVAILABLE']);
  });

  it.each(AWAY)('503 OUTCOME_UNKNOWN of a command, whose commit it may have been: %s (F4)', async (_name, thrown) => {
    const { status, headers, body } = await answerTo(thrown, 'POST');
    expect([status, headers.get('retry-after'), body['code']]).toEqual([503, '5', 'OUTCOME_UNKNOWN']);
  });

  it.each([
    ['4111111111111111', 'body'],
    ['receipt.4111 1111 1111 1111.name', 'receipt'],
    ['receipt.items.0.name', 'receipt.items.0.name'],
  ])('a name that must not be repeated ends the path of a field: %s', async (field, shown) => {
    const { body } = await answerTo(invalidField(field, 'is not a field of this request'));
    expect(body['details']).toEqual([{ field: shown, message: 'is not a field of this request' }]);
  });

  it('405 METHOD_NOT_ALLOWED carries Allow', async () => {
    const { headers } = await answerTo(new ApiError('METHOD_NOT_ALLOWED', { allow: ['GET', 'POST'] }));
    expect(headers.get('allow')).toBe('GET, POST');
  });

  it('cuts the connection when half of an answer is out already', async () => {
    const base = await serve((app) => {
      app.get('/', (_req, res) => {
        res.write('half');
        throw new Error('late');
      });
    });
    await expect(fetch(base).then((response) => response.text())).rejects.toThrow();
  });
});

describe('drain', () => {
  /** A route that answers when the test says so. */
  async function slow() {
    const begun = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const base = await serve((app) => {
      app.get('/slow', async (_req, res) => {
        begun.resolve(undefined);
        await held.promise;
        res.json({ finished: true });
      });
      app.get('/quick', (_req, res) => {
        res.json({});
      });
    });
    return {
      base,
      begun: begun.promise,
      finish: () => {
        held.resolve(undefined);
      },
    };
  }
  const GRACE_MS = 60_000;

  it('lets a running request finish, tells its client to hang up, and refuses new connections', async () => {
    const { base, begun, finish } = await slow();
    const running = fetch(`${base}/slow`);
    await begun;
    const drained = listener?.drain(GRACE_MS);
    await expect(fetch(`${base}/quick`)).rejects.toThrow();
    finish();
    const response = await running;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({ finished: true });
    await drained;
  });

  it('answers what comes on kept-alive connections and closes them, and idle ones when no more comes', async () => {
    const { base } = await slow();
    const [used, idle] = [await dial(base), await dial(base)];
    for (const { socket, received } of [used, idle]) {
      socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
      await untilReceived(received, '{}');
    }
    expect(used.received()).not.toContain('Connection: close');
    const drained = listener?.drain(GRACE_MS);
    used.socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
    await used.closed;
    expect(used.received().split('HTTP/1.1 200 OK')).toHaveLength(3);
    expect(used.received()).toContain('Connection: close');
    await idle.closed;
    await drained;
  });

  it('closes the connection of a response that had begun and ends after all that', async () => {
    const begun = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const base = await serve((app) => {
      app.get('/begun', async (_req, res) => {
        res.write('half');
        begun.resolve(undefined);
        await held.promise;
        res.end(', and the rest');
      });
      app.get('/quick', (_req, res) => {
        res.json({});
      });
    });
    const idle = await dial(base);
    idle.socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
    await untilReceived(idle.received, '{}');
    const { socket, received, closed } = await dial(base);
    socket.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun.promise;
    const drained = listener?.drain(GRACE_MS);
    await idle.closed;
    held.resolve(undefined);
    await closed;
    await drained;
    expect(received()).toContain(', and the rest');
  });

  it('does not wait for kept-alive connections, idle ones or those that were just answered', async () => {
    const { base, begun, finish } = await slow();
    const idle = await dial(base);
    idle.socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
    await untilReceived(idle.received, '{}');
    const busy = await dial(base);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    const drained = listener?.drain(GRACE_MS);
    await idle.closed;
    finish();
    await busy.closed;
    await drained;
    expect(busy.received()).toContain('{"finished":true}');
  });

  it('cuts what is left when the grace time is over', async () => {
    const { base, begun, finish } = await slow();
    const running = fetch(`${base}/slow`);
    const failed = running.then(
      () => false,
      () => true,
    );
    await begun;
    await listener?.drain(1);
    expect(await failed).toBe(true);
    finish();
  });
});
