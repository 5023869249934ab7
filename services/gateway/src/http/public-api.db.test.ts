import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import fc from 'fast-check';
import { pairsOf } from '../../../../packages/shared/test/refusals.ts';
import { withClient } from '../../../../tools/infrastructure/provision.ts';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import {
  authorize,
  eventually,
  givenPartner,
  KEYS,
  requestBytes,
  sendRaw,
  sendSigned,
  startGateway,
  startTestDatabase,
  startTestService,
  type TestPartner,
  type TestService,
} from '../../test/gateway.ts';
import { ROUTES } from './routes.ts';
import { answerTo, attack, malformedRequest } from '../../test/malformed.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let gateway: ServiceProcess;
let base: string;
let partner: TestPartner;

beforeAll(async () => {
  test = await startTestDatabase();
  service = await startTestService();
  partner = await givenPartner(test.database);
  gateway = await startGateway(test.url, service.url, { FAILED_AUTHENTICATIONS_PER_MINUTE: '1000000' });
  base = gateway.urlOf('api');
});

afterAll(async () => {
  await gateway.stop();
  await service.stop();
  await test.drop();
});

beforeEach(() => {
  service.answer = { status: 200 };
  service.hold = undefined;
  service.seen.length = 0;
});

const key = 'key-0123456789abcdef';
const create = { method: 'POST', target: '/api/card', body: '{ "amount":10.50,\n "x":"Чай" }', idempotencyKey: key };
/** Lines around a signed request, for input that no HTTP client would send. */
const signedLines = (requestLine: string, ...lines: string[]) =>
  sendRaw(base, `${[requestLine, ...lines, `Authorization: ${JSON.stringify(authorize(partner, {}))}`].join('\r\n')}\r\n\r\n`);

describe('what a service gets', () => {
  it('the bytes unchanged, a token for the partner, our request id', async () => {
    await sendSigned(base, partner, { target: '/v1/bindings?status=%2f&customerId=1' });
    expect(service.seen.pop()).toMatchObject({ method: 'GET', url: '/v1/bindings?status=%2f&customerId=1' });
    const answer = await sendSigned(base, partner, create);
    const [seen] = service.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/api/card', body: Buffer.from(create.body) });
    const token = String(seen?.headers['x-internal-token']);
    expect(internalTokenVerifier('payments', KEYS.PAYMENTS_INTERNAL_TOKEN_KEY)(token)).toBe(partner.partnerID);
    expect(internalTokenVerifier('notifier', KEYS.NOTIFIER_INTERNAL_TOKEN_KEY)(token)).toBeUndefined();
    expect(seen?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('no header of the client’s but Idempotency-Key and Content-Type (A36, B11)', async () => {
    const headers = [
      'X-Partner-Id: somebody',
      'X-Internal-Token: forged',
      'X-Request-Id: 00000000-0000-4000-8000-000000000000',
      'X-Forwarded-For: 1.2.3.4',
      'X-HTTP-Method-Override: DELETE',
      'Cookie: a=b',
      'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'Accept-Encoding: gzip',
    ];
    await sendRaw(base, requestBytes({ ...create, headers, authorization: authorize(partner, create) }));
    const [seen] = service.seen;
    expect(seen?.method).toBe('POST');
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'idempotency-key',
      'x-internal-token',
      'x-request-id',
    ]);
    expect(seen?.headers['x-internal-token']).not.toBe('forged');
    expect(seen?.headers['x-request-id']).not.toBe('00000000-0000-4000-8000-000000000000');
  });
});

it('one trace from the gateway to the service: ours, never the client’s', async () => {
  const spans: string[] = [];
  const collector = createServer((req, res) => {
    void readText(req).then((body) => {
      spans.push(body);
      res.end();
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const traced = await startGateway(test.url, service.url, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(port)}`,
  });
  const foreign = '0af7651916cd43dd8448eb211c80319c';
  const headers = [`traceparent: 00-${foreign}-b7ad6b7169203331-01`];
  await sendRaw(traced.urlOf('api'), requestBytes({ ...create, headers, authorization: authorize(partner, create) }));
  const [, traceId = ''] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(String(service.seen[0]?.headers['traceparent'])) ?? [];
  expect(traceId).not.toBe('');
  expect(traceId).not.toBe(foreign);
  // The spans are exported at the latest when the process ends.
  await traced.stop();
  collector.close();
  const told = spans.find((span) => span.includes(traceId));
  expect(told).toContain('POST /api/card');
});

describe('19.9: a query has the names of its operation and no others', () => {
  const id = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
  it.each(ROUTES.map(([method, pattern]) => [method, pattern.replace(/\{[^}]+\}/, id)] as const))(
    '400 %s %s with another one; the service hears nothing',
    async (method, path) => {
      const answer = await sendSigned(base, partner, {
        method,
        target: `${path}?custmerId=1`,
        ...(method === 'GET' ? {} : { body: '{}', idempotencyKey: key }),
      });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field: 'custmerId', message: 'is not a parameter of this request' }],
      });
      expect(service.seen).toEqual([]);
    },
  );

  it('its own names pass, however they are written; a card number among the others is not repeated', async () => {
    expect((await sendSigned(base, partner, { target: '/v1/bindings?custom%65rId=c1' })).status).toBe(200);
    const answer = await sendSigned(base, partner, { target: '/v1/bindings?customerId=c1&4111111111111111=1' });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('4111111111111111');
  });
});

describe('19.6: the refusals of the gateway', () => {
  type Sent = { as: TestPartner; method: string; target: string };
  const WRONG = {
    UNAUTHORIZED: (sent: Sent) => {
      sent.as = { ...sent.as, partnerID: `${sent.as.partnerID}-x` };
    },
    RATE_LIMITED: async (sent: Sent) => {
      const slow = await givenPartner(test.database, { ratePerSecond: 1, burst: 1 });
      await eventually(async () => ((await sendSigned(base, slow, {})).status === 200 ? true : undefined));
      sent.as = sent.as.partnerID.endsWith('-x') ? { ...slow, partnerID: `${slow.partnerID}-x` } : slow;
    },
    METHOD_NOT_ALLOWED: (sent: Sent) => {
      sent.method = 'DELETE';
    },
    VALIDATION_FAILED: (sent: Sent) => {
      sent.target = `${sent.target}?a=1`;
    },
  } as const;
  const refused = async (...codes: readonly (keyof typeof WRONG)[]) => {
    const sent: Sent = { as: partner, method: 'GET', target: '/v1/bindings' };
    for (const code of codes) await WRONG[code](sent);
    // More at once than the slow partner is allowed.
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sendSigned(base, sent.as, { method: sent.method, target: sent.target })),
    );
    const told = answers.map(({ body }) => (JSON.parse(body) as { code: string }).code);
    return told.includes('RATE_LIMITED') ? 'RATE_LIMITED' : told[0];
  };
  const CODES = Object.keys(WRONG) as (keyof typeof WRONG)[];

  it.each(CODES)('%s alone', async (code) => {
    expect(await refused(code)).toBe(code);
  });
  it.each(pairsOf(CODES))('%s before %s', async (first, second) => {
    expect(await refused(first, second)).toBe(first);
  });
});

describe('what a partner gets', () => {
  it('status, body and the headers that the contract knows; nothing of the inside', async () => {
    service.answer = {
      status: 409,
      headers: {
        'Retry-After': '1',
        'Idempotency-Replayed': 'true',
        Server: 'inner',
        'Set-Cookie': 'a=b',
        'X-Powered-By': 'x',
      },
      body: '{"error":"чай"}',
    };
    const answer = await sendSigned(base, partner, create);
    expect(answer).toMatchObject({ status: 409, body: '{"error":"чай"}' });
    const { date: _date, ...headers } = answer.headers;
    expect(Object.keys(headers).sort()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'idempotency-replayed',
      'keep-alive',
      'retry-after',
      'strict-transport-security',
      'x-content-type-options',
      'x-request-id',
    ]);
    expect(headers['cache-control']).toBe('no-store');
  });

  const PAGE = '<html><h1>404 Not Found</h1><hr>nginx</html>';
  it.each<[string, TestService['answer']]>([
    ...[200, 400, 403, 404, 409, 422, 429, 502, 503].map((status): [string, TestService['answer']] => [
      `${String(status)} with a page`,
      { status, headers: { 'Content-Type': 'text/html', 'X-Request-Id': '' }, body: PAGE },
    ]),
    ['404 with a text that names the request', { status: 404, headers: { 'Content-Type': 'text/plain' }, body: PAGE }],
    ['404 with JSON of somebody else', { status: 404, headers: { 'X-Request-Id': 'x' }, body: '{"message":"no Route"}' }],
    ['404 and nothing', { status: 404, headers: { 'Content-Type': '', 'X-Request-Id': '' }, body: '' }],
    ...[301, 302, 307, 308].map((status): [string, TestService['answer']] => [
      `${String(status)} to another place`,
      { status, headers: { Location: 'http://127.0.0.1:1/' } },
    ]),
    ['200 with a captive portal', { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<form>' }],
  ])('%s in the place of a service is no answer: nobody knows of a command, a read comes again (V2)', async (_name, foreign) => {
    service.answer = foreign;
    const codeOf = ({ status, body }: Awaited<ReturnType<typeof sendSigned>>) => [status, (JSON.parse(body) as { code: string }).code];
    expect(codeOf(await sendSigned(base, partner, create))).toEqual([503, 'OUTCOME_UNKNOWN']);
    const read = { target: '/v1/bindings?customerId=c1' };
    expect(codeOf(await sendSigned(base, partner, read))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(service.seen.length).toBeGreaterThanOrEqual(2);
    // The breakers have not opened: the services themselves are well.
    service.answer = { status: 200 };
    for (const asked of [create, read, read]) expect((await sendSigned(base, partner, asked)).status).toBe(200);
  });

  it.each([
    ['an address that is on its way', 'ENDPOINTS_NOT_CONFIGURED', 200, '"https://shop.example/callbacks"', 503, '6', 2],
    ['an address that nobody saved', 'ENDPOINTS_NOT_CONFIGURED', 200, 'null', 409, undefined, 2],
    ['an address of which payments does not say', 'ENDPOINTS_NOT_CONFIGURED', 503, 'null', 503, '5', 2],
    ['something else', 'SECRET_ALREADY_ISSUED', 200, '"https://shop.example/callbacks"', 409, undefined, 1],
  ])('no callback secret for the want of %s', async (_want, code, readStatus, callbackUrl, status, retryAfter, calls) => {
    service.hold = (release) => {
      const saved = `{"callbackUrl":${callbackUrl},"returnUrl":${callbackUrl},"updatedAt":null}`;
      const isRead = service.seen.at(-1)?.method === 'GET';
      service.answer = isRead ? { status: readStatus, body: saved } : { status: 409, body: `{"error":"no","code":"${code}"}` };
      release();
    };
    const answer = await sendSigned(base, partner, { ...create, target: '/api/integration/callback-secret' });
    expect([answer.status, answer.headers['retry-after']]).toEqual([status, retryAfter]);
    const { code: told } = JSON.parse(answer.body) as { code: string };
    expect(told).toBe(status === 503 ? 'SERVICE_UNAVAILABLE' : code);
    expect(service.seen).toHaveLength(calls);
  });

  it.each([
    ['nonces', create, 'nonces not stored, requests are refused'],
    ['request_log', { target: '/api/requests' }, 'temporarily unavailable'],
  ])('503 while the database cannot decide because of its table %s, and the log says why', async (table, asked, logged) => {
    const { status, headers } = await withClient(test.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query(`lock table ${table} in access exclusive mode`);
      return sendSigned(base, partner, asked);
    });
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(service.seen).toEqual([]);
    const line = await eventually(() => gateway.log.find(({ msg }) => msg === logged));
    expect(JSON.stringify(line)).toContain('canceling statement due to lock timeout');
  });

  it('503, never 401, when a service does not know our token', async () => {
    service.answer = { status: 401 };
    expect((await sendSigned(base, partner, create)).status).toBe(503);
  });
});

describe('routing', () => {
  it.each([
    '/',
    '/api',
    '/api/card/',
    '/api/card/1/2',
    '/API/card',
    '/api/%63ard',
    '/v2/bindings',
    '/healthz',
    '/metrics',
    '/operator/partners',
  ])('unknown path %s: 404', async (target) => {
    const answer = await sendSigned(base, partner, { target });
    expect(answer.status).toBe(404);
    // Nothing to wait for, and no other method.
    expect([answer.headers['retry-after'], answer.headers['allow']]).toEqual([undefined, undefined]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND', requestId: answer.headers['x-request-id'] });
    expect(service.seen).toHaveLength(0);
  });

  it.each([
    ['DELETE', '/api/card', 'POST, GET'],
    ['GET', '/v1/recurring-payments', 'POST'],
    ['POST', '/api/integration/endpoints', 'PUT, GET'],
    ['PATCH', '/v1/bindings', 'GET'],
    ['OPTIONS', '/api/withdrawal-requests', 'POST, GET'],
    ['POST', '/api/card/1', 'GET'],
  ])('%s %s: 405, Allow: %s (B10)', async (method, target, allow) => {
    const answer = await sendSigned(base, partner, { method, target });
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
  });

  it.each(['/nowhere', '/api/card/1'])('neither is told to a stranger: %s is 401', async (target) => {
    expect((await sendRaw(base, requestBytes({ method: 'DELETE', target }))).status).toBe(401);
  });
});

describe('targets', () => {
  it.each([
    '/api/../api/card',
    '/api/./card',
    '/api/%2e%2e/card',
    '/api/%2E/card',
    '//api/card',
    '/api//card',
    '/api%2Fcard',
    '/api%2fcard',
    '/api/card#x',
    '/api/card/%zz',
    '/api/card/%',
    '/v1/bindings?a=%4',
    '/api/card\\1',
    'http://gateway.test/api/card',
    '*',
    '/v1/bindings?customerId=a&customerId=b',
    '/v1/bindings?a=1&%61=2',
    '/v1/bindings?customerId=%ff',
    '/v1/bindings?customerId=%C0%80',
    '/v1/bindings?customerId=%ED%A0%80',
    '/api/card/%ff',
  ])('%s is 400 and goes nowhere (A26, A28, A29, B12)', async (target) => {
    const answer = await sendRaw(base, requestBytes({ target, authorization: authorize(partner, { target }) }));
    expect(answer.status).toBe(400);
    expect(service.seen).toHaveLength(0);
  });

  it.each(['/api/card/%D1%87', '/api/card/%00', '/v1/bindings?customerId=%00%D1%87'])(
    '%s is the service’s to answer, as it stands (B12)',
    async (target) => {
      expect((await sendSigned(base, partner, { target })).status).toBe(200);
      expect(service.seen[0]?.url).toBe(target);
    },
  );
});

describe('headers', () => {
  it.each([
    ['the first', key],
    ['the second', 'key-other-0123456789'],
    ['both, joined', `${key}, key-other-0123456789`],
  ])('two Idempotency-Keys, signed over %s: 400 (A30)', async (_name, signed) => {
    const authorization = authorize(partner, { ...create, idempotencyKey: signed });
    const headers = ['Idempotency-Key: key-other-0123456789'];
    expect((await sendRaw(base, requestBytes({ ...create, headers, authorization }))).status).toBe(400);
    expect(service.seen).toHaveLength(0);
  });

  it.each([
    ['Content-Length and Transfer-Encoding', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['two Content-Lengths', ['Content-Length: 0', 'Content-Length: 5']],
    ['two equal Content-Lengths', ['Content-Length: 0', 'Content-Length: 0']],
    ['a folded header', ['X-A: 1\r\n 2']],
    ['a bare line feed', ['X-A: 1\nX-B: 2']],
    ['a space before the colon', ['Content-Length : 0']],
    ['an unknown transfer encoding', ['Transfer-Encoding: xchunked']],
    ['a negative length', ['Content-Length: -1']],
    ['two Hosts (B03)', ['Host: gateway.test']],
  ])('%s: 400 (B01)', async (_name, lines) => {
    expect((await signedLines('GET /v1/bindings HTTP/1.1', 'Host: gateway.test', ...lines)).status).toBe(400);
    expect(service.seen).toHaveLength(0);
  });

  it.each([
    ['no Host', 'GET /v1/bindings HTTP/1.1'],
    ['a lower-case method', 'get /v1/bindings HTTP/1.1'],
    ['no version', 'GET /v1/bindings'],
    ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2', 'PRI * HTTP/2.0'],
    ['raw bytes in the target', 'GET /v1/bindings\xff HTTP/1.1'],
  ])('not HTTP: %s: 400', async (_name, line) => {
    expect((await signedLines(line)).status).toBe(400);
  });

  it('an expectation that nobody knows changes nothing', async () => {
    const answer = await signedLines('GET /v1/bindings HTTP/1.1', 'Host: gateway.test', 'Expect: 200-ok');
    expect(answer.status).toBe(200);
    expect(service.seen).toHaveLength(1);
  });

  it('more than 16 KiB of headers: 431 (B04)', async () => {
    expect((await signedLines('GET /v1/bindings HTTP/1.1', 'Host: a', `X-A: ${'a'.repeat(20_000)}`)).status).toBe(431);
  });
});

describe('bodies', () => {
  it('exactly 64 KiB goes through', async () => {
    const body = `"${'a'.repeat(64 * 1024 - 2)}"`;
    expect((await sendSigned(base, partner, { ...create, body })).status).toBe(200);
    expect(service.seen[0]?.body).toHaveLength(64 * 1024);
  });

  it('a Content-Length above 64 KiB: 413, before a byte of it arrives (B05)', async () => {
    const bytes = requestBytes({ method: 'POST', target: '/api/card', headers: ['Content-Length: 65537'] });
    expect((await sendRaw(base, bytes)).status).toBe(413);
  });

  it('more than 64 KiB without Content-Length: 413, and the connection ends (B05)', async () => {
    const bytes = requestBytes({
      ...create,
      body: '',
      headers: ['Transfer-Encoding: chunked'],
      authorization: authorize(partner, create),
    });
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
    const answer = await sendRaw(base, bytes, ...Array.from({ length: 8 }, () => chunk));
    expect([answer.status, answer.headers['connection']]).toEqual([413, 'close']);
  });

  it('a chunked body is signed like any other', async () => {
    const authorization = authorize(partner, { ...create, body: '{"a":1}' });
    const headers = ['Transfer-Encoding: chunked'];
    const answer = await sendRaw(base, requestBytes({ ...create, body: '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n', headers, authorization }));
    expect(answer.status).toBe(200);
    expect(service.seen[0]?.body.toString()).toBe('{"a":1}');
  });

  it.each([
    ['Content-Length', requestBytes({ body: 'x' })],
    ['chunks', requestBytes({ headers: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' })],
  ])('a GET with a body (%s): 400 (B08)', async (_name, bytes) => {
    expect((await sendRaw(base, bytes)).status).toBe(400);
  });

  it('an encoded body: 415', async () => {
    const headers = ['Content-Encoding: gzip'];
    expect((await sendRaw(base, requestBytes({ ...create, headers, authorization: authorize(partner, create) }))).status).toBe(415);
  });

  it('the Content-Type goes to the service as it is, or not at all (B07)', async () => {
    const headers = ['Content-Type: text/plain; charset=utf-16'];
    await sendRaw(base, requestBytes({ ...create, headers, authorization: authorize(partner, create) }));
    expect(service.seen[0]?.headers['content-type']).toBe('text/plain; charset=utf-16');
  });
});

describe('connections', () => {
  it('a client that leaves before the answer: the command arrives all the same, once (B14)', async () => {
    let release: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      service.hold = (answer) => {
        release = answer;
        resolve();
      };
    });
    const { hostname, port } = new URL(base);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.write(requestBytes({ ...create, authorization: authorize(partner, create) }));
    await arrived;
    socket.destroy();
    await eventually(() => gateway.log.find((line) => line['status'] === 499));
    release?.();
    service.hold = undefined;
    expect((await sendSigned(base, partner, create)).status).toBe(200);
    expect(service.seen).toHaveLength(2);
  });

  it('a thousand idle connections are in nobody’s way (B15)', async () => {
    const { hostname, port } = new URL(base);
    const sockets = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const socket = connect({ host: hostname, port: Number(port) });
        await once(socket, 'connect');
        return socket;
      }),
    );
    expect((await sendSigned(base, partner)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('a slow client is cut off: 408 for headers that do not end', async () => {
    expect((await sendRaw(base, 'GET /v1/bindings HTTP/1.1\r\nHost: a\r\nX-A: 1')).status).toBe(408);
  });

  it('a connection serves one request after another, also after a refusal', async () => {
    const { hostname, port } = new URL(base);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    socket.write(requestBytes({ ...create }));
    await eventually(() => (statuses().length === 1 ? true : undefined));
    socket.write(requestBytes({ ...create, authorization: authorize(partner, create) }));
    await eventually(() => (statuses().length === 2 ? true : undefined));
    socket.destroy();
    expect(statuses()).toEqual(['401', '200']);
  });
});

it('no bytes yield a 500, silence, or the end of the process', async () => {
  const valid = requestBytes({ ...create, authorization: authorize(partner, create) }).toString('latin1');
  await fc.assert(
    fc.asyncProperty(malformedRequest(valid), async (text) => {
      expect([500, -1]).not.toContain(await answerTo(base, text));
    }),
    { numRuns: 300 },
  );
  expect((await sendSigned(base, partner)).status).toBe(200);
  expect(gateway.log.filter(({ msg }) => msg === 'unexpected error' || msg === 'could not send an answer')).toEqual([]);
});

it('many connections of malformed input at once: the same, and the gateway goes on', async () => {
  // The long form, one minute with a check of memory use: `npm run bench -- malformed`.
  const valid = requestBytes({ ...create, authorization: authorize(partner, create) }).toString('latin1');
  const counts = await attack(base, { valid, seconds: 1, seed: 1, connections: 16 });
  expect([...counts.keys()].filter((status) => status === -1 || status >= 500)).toEqual([]);
  expect((await sendSigned(base, partner)).status).toBe(200);
  expect(gateway.log.filter(({ msg }) => msg === 'unexpected error' || msg === 'could not send an answer')).toEqual([]);
});
