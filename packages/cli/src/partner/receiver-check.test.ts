import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { runHere } from '../../test/run-cli.ts';
import { callbackReceiver, verifyCallback } from '@pay/sdk/callbacks.ts';
import { memoryEventStore } from '@pay/sdk/event-store.ts';
import { callbackPlugin } from '@pay/sdk/fastify.ts';
import { callbackRoute } from '@pay/sdk/web.ts';
import { checkReceiver } from './receiver-check.ts';

const key = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

/** A receiver that verifies correctly, then does what the test specifies. */
const receiving =
  (answer: (body: Record<string, unknown>, verified: boolean) => number): RequestListener =>
  (req, res) => {
    void buffer(req).then((body) => {
      const { ok } = verifyCallback(body, req.headers, [key], new Date());
      res.writeHead(answer(JSON.parse(body.toString()) as Record<string, unknown>, ok)).end();
    });
  };

const options = () => ({ keys: [key], store: memoryEventStore(), onEvent: () => Promise.resolve() });

const good = (): RequestListener => {
  const receive = callbackReceiver(options());
  return (req, res) => void receive(req, res);
};

/** A Request/Response route behind a server, called as by a framework. */
const routed = (): RequestListener => {
  const route = callbackRoute(options());
  const handle: (...of: Parameters<RequestListener>) => Promise<void> = async (req, res) => {
    const { method = '', headersDistinct } = req;
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const body = new Uint8Array(await buffer(req));
    const { status } = await route(new Request('http://shop.example/', { method, headers, body }));
    res.writeHead(status).end();
  };
  return (req, res) => void handle(req, res);
};

const failed = async (url: string, deadlineMs = 60_000) =>
  (await checkReceiver({ url, key, deadlineMs })).filter(({ passed }) => !passed).map(({ rule }) => rule);

describe('checkReceiver', () => {
  it('finds nothing wrong with the receiver of this package', async () => {
    expect(await failed(await serve(good()))).toEqual([]);
  });

  it('finds nothing wrong with one behind a proxy that sends an unasked 100 Continue (K3)', async () => {
    const receive = good();
    const listener: RequestListener = (req, res) => {
      res.writeContinue();
      receive(req, res);
    };
    expect(await failed(await serve(listener))).toEqual([]);
  });

  it('finds nothing wrong with its route for Request and Response', async () => {
    expect(await failed(await serve(routed()))).toEqual([]);
  });

  it('finds nothing wrong with its Fastify plugin', async () => {
    const app = fastify();
    await app.register(callbackPlugin('/', options()));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    closing.push(() => void app.close());
    expect(await failed(`${url}/`)).toEqual([]);
  });

  it.each<[string, RequestListener, string[]]>([
    [
      'one that believes everybody',
      receiving(() => 200),
      [
        'a wrong signature',
        'an unknown key',
        'a body other than the signed one',
        'a timestamp six minutes old, correctly signed',
        'a timestamp six minutes ahead, correctly signed',
      ],
    ],
    [
      'one that answers 400 to a forgery',
      receiving((_body, verified) => (verified ? 200 : 400)),
      [
        'a wrong signature',
        'an unknown key',
        'a body other than the signed one',
        'a timestamp six minutes old, correctly signed',
        'a timestamp six minutes ahead, correctly signed',
      ],
    ],
    [
      'one that refuses an older version',
      receiving(({ aggregateVersion }, verified) => (verified ? (aggregateVersion === 1 ? 409 : 200) : 401)),
      ['an event with a lower aggregateVersion is ignored, not rejected'],
    ],
  ])('names what %s does wrong', async (_name, listener, rules) => {
    expect(await failed(await serve(listener))).toEqual(rules);
  });

  it('names a repeat that is refused', async () => {
    const seen = new Set<unknown>();
    const listener = receiving(({ eventId }, verified) => {
      if (!verified) return 403;
      if (seen.has(eventId)) return 409;
      seen.add(eventId);
      return 200;
    });
    expect(await failed(await serve(listener))).toEqual(['the same event again with a new time and signature']);
  });

  it('names one that looks at the first signature only', async () => {
    const listener: RequestListener = (req, res) => {
      const [first = ''] = String(req.headers['x-service-signature']).split(',');
      void buffer(req).then((body) => {
        const headers = { ...req.headers, 'x-service-signature': first };
        res.writeHead(verifyCallback(body, headers, [key], new Date()).ok ? 200 : 401).end();
      });
    };
    expect(await failed(await serve(listener))).toEqual(['two signatures, the first with a key that is not known yet']);
  });

  it('names one that is too slow', async () => {
    const listener = receiving((_body, verified) => (verified ? 200 : 401));
    let calls = 0;
    const slow: RequestListener = (req, res) => {
      calls += 1;
      // The second response sends its headers but never ends.
      if (calls === 2) res.writeHead(200).write('…');
      else listener(req, res);
    };
    expect(await failed(await serve(slow), 300)).toEqual([
      'the same event again with a new time and signature',
      'every answer arrives in time',
    ]);
  });
});

describe('pay callbacks check', () => {
  const check = (url: string, ...more: string[]) => runHere(['callbacks', 'check', url, '--key', `${key.keyId}:${key.secret}`, ...more]);

  it('0 and a line a rule for a right receiver', async () => {
    const { exitCode, stdout } = await check(await serve(good()));
    expect(exitCode).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(11);
    expect(stdout).not.toContain('FAIL');
  });

  it('1 for a wrong one; with --json the report', async () => {
    const { exitCode, stdout } = await check(await serve(receiving(() => 200)), '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: false,
      rules: expect.arrayContaining([
        expect.objectContaining({ rule: 'a wrong signature', passed: false, expected: '401 or 403', got: '200' }),
      ]),
    });
  });

  it('3 when nobody answers, 2 for what is no address', async () => {
    expect((await check('http://127.0.0.1:1/')).exitCode).toBe(3);
    expect((await check('ftp://127.0.0.1/')).exitCode).toBe(2);
  });
});
