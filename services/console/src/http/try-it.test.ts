import { createServer, request as requestRaw, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApp } from '@pay/shared/http/app.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { testConsoleKey } from '../../../../packages/shared/test/operators.ts';
import { Config } from '../config.ts';
import { forwardTryItRoute } from './try-it.ts';

/** What the route of "try it" lets through, before a public API that the test plays. */
const asked: IncomingMessage[] = [];
let answer: (response: ServerResponse) => void;
const api = createServer((request, response) => {
  asked.push(request);
  answer(response);
});
let console: Listener;
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${String((api.address() as AddressInfo).port)}`;
  const app = createApp({
    listener: 'console',
    log: createLog('console', 'silent'),
    requestIdFrom: 'edge',
    routes: (routes) => routes.all('/docs/try/{*path}', forwardTryItRoute(apiUrl)),
  });
  console = await listen(app, '127.0.0.1', 0);
  origin = `http://127.0.0.1:${String(console.port)}`;
});
beforeEach(() => {
  asked.length = 0;
  answer = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});
afterAll(async () => {
  await console.drain(0);
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

const signed = { authorization: '{"sign":"x"}' };
const ask = async (path: string, init: RequestInit = { headers: signed }) => {
  const response = await fetch(`${origin}/docs/try${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('try it', () => {
  it('passes on method, target and body to the byte, and three headers: no cookie, no address', async () => {
    const headers = {
      ...signed,
      'idempotency-key': 'k',
      'content-type': 'application/json',
      cookie: 'session=x',
      'x-forwarded-for': '1.2.3.4',
    };
    let body = '';
    answer = (response) => {
      asked.at(-1)?.on('data', (chunk: Buffer) => (body += chunk.toString()));
      asked.at(-1)?.on('end', () => response.writeHead(201, { 'Idempotency-Replayed': 'true', 'Set-Cookie': 'a=b' }).end('{}'));
    };
    const { status, headers: returned } = await ask('/api/card?b=%2F&a=1', { method: 'POST', headers, body: '{"amount":10.50}' });
    const [request] = asked;
    if (request === undefined) throw new Error('nothing was forwarded');
    const { method, url, headers: sent } = request;
    expect({ status, method, url, body }).toEqual({ status: 201, method: 'POST', url: '/api/card?b=%2F&a=1', body: '{"amount":10.50}' });
    expect(sent).toMatchObject({ authorization: signed.authorization, 'idempotency-key': 'k' });
    expect([sent.cookie, sent['x-forwarded-for'], returned.get('set-cookie')]).toEqual([undefined, undefined, null]);
    expect(returned.get('idempotency-replayed')).toBe('true');
  });

  it('401 UNAUTHORIZED: without Authorization nothing is forwarded', async () => {
    expect(await ask('/api/card', {})).toMatchObject({ status: 401, text: expect.stringContaining('UNAUTHORIZED') });
    expect(asked).toEqual([]);
  });

  it.each(['//evil.example/api/card', '/operator/partners', '/', '/api', '/@evil.example/api/', '/apis/x'])(
    '404 NOT_FOUND: %s is no target of the API, and leads nowhere else',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
      expect(asked).toEqual([]);
    },
  );

  it.each(['/api/../operator', '/api/%2e%2e/operator', '/api/x/../../operator', '/api/./x'])(
    '404 NOT_FOUND: %s would be another path than the one that was signed',
    async (path) => {
      // fetch would resolve it before it is sent.
      const { port } = new URL(origin);
      const status = await new Promise((resolve, reject) => {
        const sent = requestRaw({ port, path: `/docs/try${path}`, headers: signed });
        sent
          .on('response', (response) => {
            resolve(response.resume().statusCode);
          })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(404);
      expect(asked).toEqual([]);
    },
  );

  it('does not follow a stream, which would hold a place for as long as it lasts', async () => {
    answer = (response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': here\n\n');
    const { status, text } = await ask('/api/event-stream');
    expect([status, text]).toEqual([200, expect.stringContaining('pay callbacks listen')]);
  });

  it('never returns what a browser takes for a page', async () => {
    answer = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<script>alert(1)</script>');
    const { headers } = await ask('/api/card');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('503 SERVICE_UNAVAILABLE: while 16 wait, and for a redirect', async () => {
    const waiting: ServerResponse[] = [];
    const all = Promise.withResolvers<undefined>();
    answer = (response) => {
      waiting.push(response);
      if (waiting.length === 16) all.resolve(undefined);
    };
    const first = Array.from({ length: 16 }, () => ask('/api/card'));
    await all.promise;
    // The API would be asked, and answer with another status.
    answer = (response) => response.writeHead(200).end('{}');
    expect((await ask('/api/card')).status).toBe(503);
    for (const response of waiting) response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(first.map(() => 503));
    expect((await ask('/api/card')).status).toBe(200);
  });

  it('is for TEST: LIVE does not start with its address', () => {
    const inside = 'https://inside.example';
    const given = {
      PORT: '1',
      PRIVATE_PORT: '2',
      DATABASE_URL: 'postgres://console@db.example/pay',
      PUBLIC_URL: 'https://console.example',
      TRUSTED_PROXIES: 'none',
      AUTH_SECRET: Buffer.alloc(32, 7).toString('base64'),
      OPERATOR_IDENTITY_PRIVATE_KEY: testConsoleKey().privateKeyBase64,
      TRY_IT_API_URL: inside,
      GATEWAY_OPERATOR_URL: inside,
      PAYMENTS_OPERATOR_URL: inside,
      BINDINGS_OPERATOR_URL: inside,
      WITHDRAWALS_OPERATOR_URL: inside,
      NOTIFIER_OPERATOR_URL: inside,
    };
    const faultsIn = (ENVIRONMENT: string) =>
      Config.safeParse({ ...given, ENVIRONMENT }).error?.issues.map(({ path, message }) => `${path.join()} ${message}`);
    expect(faultsIn('TEST')).toBeUndefined();
    expect(faultsIn('LIVE')).toEqual(['TRY_IT_API_URL must not be set with ENVIRONMENT=LIVE']);
  });
});
