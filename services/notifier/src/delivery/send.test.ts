import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates, type SecureVersion, type TlsOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { savedUrlProblem, withCalledOrigin } from '@pay/shared/net/public-url.ts';
import { callbackKey } from '@pay/signing/callback-signature.ts';
import { startDnsServer } from '../../../../packages/shared/test/dns-server.ts';
import { startReceiver, withStatus } from '../../test/receiver.ts';
import { callbackHeaders, createSender, EXCERPT_BYTES_MAX, type Outgoing, type Sender } from './send.ts';

// What receivers do to us, over real sockets.
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Receivers that these tests play count as public, so that what they answer is kept. */
const PLAYED = { allowPrivate: true, publicForTests: ['127.0.0.1'] };

function sender(rules: Parameters<typeof createSender>[0] = PLAYED, deadlineMs = 60_000): Sender {
  const made = createSender(rules, 4, deadlineMs);
  closing.push(() => made.close());
  return made;
}

const outgoing = (url: string): Outgoing => ({
  url,
  eventId: '0b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
  type: 'payment.completed',
  body: Buffer.from('{ "exact":  "bytes" }'),
  keys: [callbackKey('k_new', Buffer.alloc(32, 1)), callbackKey('k_old', Buffer.alloc(32, 2))],
  now: new Date(1_790_000_000_123),
});
const never = new AbortController().signal;

/** A receiver that speaks raw TCP. */
async function rawReceiver(onData: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      onData(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

/** Writes a chunk repeatedly until the other side has gone. */
function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else socket.write(chunk);
  }, 20);
}

it('a process that stood still while it connected sends nothing after the deadline (N1)', async () => {
  const receiver = await startReceiver(withStatus(200));
  closing.push(() => receiver.close());
  const sending = sender().send(outgoing(receiver.url), never);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  const { answer } = await sending;
  clock.mockRestore();
  expect([answer, receiver.received]).toEqual([{ kind: 'unanswered', failure: 'TIMEOUT' }, []]);
});

describe('headers', () => {
  it('exactly these headers leave, in this form; the sender names itself (I18, 19)', async () => {
    const receiver = await startReceiver(withStatus(200));
    closing.push(() => receiver.close());
    await sender().send(outgoing(receiver.url), never);
    const [callback] = receiver.received;
    const port = new URL(receiver.url).host;
    const { rawHeaders = [] } = callback ?? {};
    const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []));
    expect(pairs).toEqual([
      ['host', port],
      ['connection', 'keep-alive'],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'payment-callbacks/1'],
      ['X-Service-Event-ID', '0b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f'],
      ['X-Service-Event-Type', 'payment.completed'],
      ['X-Service-Timestamp', '1790000000'],
      ['X-Service-Signature', expect.stringMatching(/^k_new:v1=[0-9a-f]{64},k_old:v1=[0-9a-f]{64}$/)],
      ['content-length', '21'],
    ]);
    expect(callback?.body.toString()).toBe('{ "exact":  "bytes" }');
  });
});

it('the eventId of the header is not signed: the same time and body have the same signature under any (contract)', () => {
  const one = callbackHeaders(outgoing('https://shop.example/'));
  const other = callbackHeaders({
    ...outgoing('https://shop.example/'),
    eventId: '3b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
  });
  expect(other['X-Service-Event-ID']).not.toBe(one['X-Service-Event-ID']);
  expect(other['X-Service-Signature']).toBe(one['X-Service-Signature']);
});

it('an address that may be saved is called byte for byte: request target and Host (K9)', async () => {
  const heads: string[] = [];
  const port = await new Promise<number>((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        const text = bytes.toString('latin1');
        if (!text.startsWith('POST ')) return;
        heads.push(text);
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
      closing.push(() => socket.destroy());
    }).listen(0, '127.0.0.1', () => {
      closing.push(() => server.close());
      resolve((server.address() as AddressInfo).port);
    });
  });
  const made = sender();
  const rules = { openedBy: 'us', allowPrivate: true } as const;
  const host = fc.constantFrom('127.0.0.1', 'localhost', 'LocalHost', '127.1', '0x7f.0.0.1', '2130706433', '0177.0.0.1');
  const pieces = [
    '/',
    '?',
    '.',
    '..',
    '/../',
    '/./',
    '%2e',
    '%2E%2e',
    '%',
    '%zz',
    '%00',
    '%41',
    '#',
    '\\',
    '\t',
    ' ',
    '@',
    ':',
    ';',
    '&',
    '=',
    '+',
    "'",
    '"',
    '[',
    ']',
    '{',
    '|',
    '^',
    '`',
    '<',
    '~',
    '$',
    '!',
    '*',
    '(',
    'a',
    'Z',
    'é',
    'п',
  ];
  const target = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
  const slash = fc.constantFrom('/', '/', '/', '?', '');
  let saved = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('http', 'HTTP'), host, slash, target, async (scheme, name, begin, rest) => {
      const written = withCalledOrigin(`${scheme}://${name}:${String(port)}${begin}${rest}`);
      if (savedUrlProblem(written, rules) !== undefined) return;
      saved += 1;
      heads.length = 0;
      await made.send(outgoing(written), never);
      const [, authority = '', path = ''] = /^http:\/\/([^/?]+)(.*)$/.exec(written) ?? [];
      const [line = '', ...headers] = heads[0]?.split('\r\n') ?? [];
      expect([line, headers.find((one) => /^host:/i.test(one))]).toEqual([
        `POST ${path.startsWith('/') ? path : `/${path}`} HTTP/1.1`,
        `host: ${authority}`,
      ]);
    }),
    { numRuns: 500 },
  );
  expect(saved).toBeGreaterThan(20);
});

describe('answers', () => {
  it.each([[301], [302], [303], [307], [308]])('a redirect %i is an answer and is not followed (H13)', async (status) => {
    const target = await startReceiver(withStatus(200));
    const receiver = await startReceiver(withStatus(status, { Location: target.url }));
    closing.push(
      () => target.close(),
      () => receiver.close(),
    );
    const { answer } = await sender().send(outgoing(receiver.url), never);
    expect(answer).toMatchObject({ kind: 'answered', status });
    expect(target.received).toHaveLength(0);
  });

  it('keeps a Retry-After and the body', async () => {
    const receiver = await startReceiver((_received, res) => res.writeHead(503, { 'Retry-After': '7' }).end('busy'));
    closing.push(() => receiver.close());
    const { answer, excerpt } = await sender().send(outgoing(receiver.url), never);
    expect(answer).toEqual({ kind: 'answered', status: 503, retryAfterSeconds: 7 });
    expect(excerpt.toString()).toBe('busy');
  });

  it.each([
    ['in the form of RFC 850', ['Saturday, 28-Nov-26 16:55:00 GMT'], 300],
    ['with a blank behind', ['120 '], 120],
    ['of ten digits: a day', ['9999999999'], 86_400],
    ['twice: the longer', ['60', '120'], 120],
  ])('a Retry-After %s is understood (K2)', async (_name, lines, seconds) => {
    const headers = lines.map((line) => `Retry-After: ${line}\r\n`).join('');
    const url = await rawReceiver((socket) => socket.end(`HTTP/1.1 503 Service Unavailable\r\n${headers}Content-Length: 0\r\n\r\n`));
    const now = new Date('2026-11-28T16:50:00Z');
    const { answer } = await sender().send({ ...outgoing(url), now }, never);
    expect(answer).toEqual({ kind: 'answered', status: 503, retryAfterSeconds: seconds });
  });

  const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  it.each([
    ['an unasked 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['several, with headers', 'HTTP/1.1 100 Continue\r\nServer: x\r\n\r\n'.repeat(5)],
    [
      '102, 103 and numbers without a meaning',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 199 x\r\n\r\n',
    ],
    ['one by HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
    ['one that says what comes of the connection', 'HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n'],
    ['one that offers another protocol', 'HTTP/1.1 100 Continue\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ])('%s before the final response: skipped, whole or byte by byte (K3)', async (_name, informational) => {
    const bytes = Buffer.from(informational + FINAL);
    const whole = await rawReceiver((socket) => socket.write(bytes));
    const dripping = await rawReceiver((socket) => {
      const next = (at: number) => {
        if (at < bytes.length)
          socket.write(bytes.subarray(at, at + 1), () => {
            next(at + 1);
          });
      };
      next(0);
    });
    for (const url of [whole, dripping]) {
      const { answer, excerpt } = await sender().send(outgoing(url), never);
      expect([answer, excerpt.toString()]).toEqual([{ kind: 'answered', status: 200, retryAfterSeconds: null }, 'ok']);
    }
  });

  it('informational responses cost no connection (K3)', async () => {
    const ports = new Set<unknown>();
    const receiver = await startReceiver((_received, res) => {
      ports.add(res.socket?.remotePort);
      res.writeContinue();
      res.writeEarlyHints({ link: '</style.css>; rel=preload' });
      res.writeProcessing();
      res.end();
    });
    closing.push(() => receiver.close());
    const made = createSender({ allowPrivate: true }, 1, 60_000);
    closing.push(() => made.close());
    for (let call = 0; call < 3; call += 1) expect((await made.send(outgoing(receiver.url), never)).answer).toMatchObject({ status: 200 });
    expect(ports.size).toBe(1);
  });

  it.each([
    ['a Content-Length with blanks behind it', 'HTTP/1.1 200 OK\r\nContent-Length: 2  \r\n\r\nok'],
    ['20 KB of headers', `HTTP/1.1 200 OK\r\nContent-Security-Policy: ${'a'.repeat(20_000)}\r\nContent-Length: 2\r\n\r\nok`],
  ])('%s is taken (K4)', async (_name, text) => {
    const { answer, excerpt } = await sender().send(outgoing(await rawReceiver((socket) => socket.end(text))), never);
    expect([answer, excerpt.toString()]).toEqual([{ kind: 'answered', status: 200, retryAfterSeconds: null }, 'ok']);
  });

  it('of a private address, called in TEST, the status alone is kept (N12)', async () => {
    const receiver = await startReceiver((_received, res) => res.writeHead(403, { 'Retry-After': '7' }).end('secret'));
    const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
    closing.push(
      () => receiver.close(),
      () => dns.close(),
    );
    const made = sender({ allowPrivate: true, dnsServers: [dns.server] });
    for (const host of ['127.0.0.1', 'localhost', 'shop.example']) {
      const url = receiver.url.replace('127.0.0.1', host);
      const { answer, excerpt } = await made.send(outgoing(url), never);
      expect([answer, excerpt.length]).toEqual([{ kind: 'answered', status: 403, retryAfterSeconds: 7 }, 0]);
    }
  });

  it('what a receiver says of a card, a secret or a wallet is cut out before it is kept (S7)', async () => {
    const echo = '{"order":"ok","card":"4000 0000 0000 0002","note":"cvv 123","to":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"}';
    const receiver = await startReceiver((_received, res) => res.writeHead(500).end(echo));
    closing.push(() => receiver.close());
    const { excerpt } = await sender().send(outgoing(receiver.url), never);
    expect(excerpt.toString()).toBe(
      '{"order":"ok","card":"[a card number was removed]","note":"[a card security code was removed]","to":"[a wallet address was removed]"}',
    );
  });

  it('a card number at the end of what is kept leaves no half of it (N4)', async () => {
    const echo = `${'x'.repeat(EXCERPT_BYTES_MAX - 10)} 4000 0000 0000 0002 is the card`;
    const receiver = await startReceiver((_received, res) => res.writeHead(500).end(echo));
    closing.push(() => receiver.close());
    const { excerpt } = await sender().send(outgoing(receiver.url), never);
    expect([excerpt.length, excerpt.toString().slice(-10)]).toEqual([EXCERPT_BYTES_MAX, ' [a card n']);
  });

  it('of an endless answer 16 KiB are read, and 1 KiB is kept (I09)', async () => {
    let sent = 0;
    const receiver = await startReceiver((_received, res) => {
      res.writeHead(200, { 'Content-Encoding': 'gzip' });
      const pump = () => {
        while (!res.destroyed && sent < 1e9) {
          sent += 65_536;
          if (!res.write(Buffer.alloc(65_536, 'x'))) {
            res.once('drain', pump);
            return;
          }
        }
      };
      pump();
    });
    closing.push(() => receiver.close());
    const { answer, excerpt } = await sender().send(outgoing(receiver.url), never);
    expect(answer).toMatchObject({ status: 200 });
    expect(excerpt).toHaveLength(EXCERPT_BYTES_MAX);
    // No more than the kernel's buffers took.
    expect(sent).toBeLessThan(50e6);
  });
});

describe('no answer', () => {
  const failureOf = async (url: string, made = sender()) => {
    const { answer } = await made.send(outgoing(url), never);
    return answer.kind === 'unanswered' ? answer.failure : answer.status;
  };

  /** Whatever the receiver does, it is over after half a second. */
  const impatient = (rules?: Parameters<typeof createSender>[0]) => sender(rules, 500);

  it('headers that never arrive end at the deadline (I07)', async () => {
    expect(await failureOf(await rawReceiver(() => undefined), impatient())).toBe('TIMEOUT');
  });
  it('a connection that is never accepted ends at the deadline', async () => {
    const { server } = await silentDns();
    expect(await failureOf('http://shop.example/', impatient({ allowPrivate: true, dnsServers: [server] }))).toBe('TIMEOUT');
  });
  it('a body that drips ends at the same deadline', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
      drip(socket, 'x');
    });
    expect(await failureOf(url, impatient())).toBe('TIMEOUT');
  });
  it('a flood of 1xx answers ends at the deadline (I10)', async () => {
    const url = await rawReceiver((socket) => {
      drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100));
    });
    expect(['TIMEOUT', 'INVALID_HTTP']).toContain(await failureOf(url, impatient()));
  });
  it.each([
    ['a garbage status line', 'HELLO WORLD\r\n\r\n'],
    ['HTTP/0.9', '<html>ok</html>'],
    ['a status that is no number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['both a length and chunks (K4)', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['chunks and a length (K4)', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['two lengths (K4)', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['a list of lengths (K4)', 'HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nok'],
    ['a length that no number holds (K4)', `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(40)}\r\n\r\nok`],
    ['a negative length (K4)', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok'],
    [
      'another protocol that nobody asked for (K4)',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['101 without a protocol (K4)', 'HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status below 100 (K4)', 'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('%s is no answer (I10)', async (_name, text) => {
    expect(await failureOf(await rawReceiver((socket) => socket.end(text)))).toBe('INVALID_HTTP');
  });
  it('more than 64 KiB of headers are named as what they are (K4)', async () => {
    const text = `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(65_536)}\r\nContent-Length: 0\r\n\r\n`;
    expect(await failureOf(await rawReceiver((socket) => socket.end(text)))).toBe('HEADERS_TOO_LARGE');
  });
  it('status 999 is neither success nor refusal (I10)', async () => {
    expect(await failureOf(await rawReceiver((socket) => socket.end('HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n')))).toBe(999);
  });
  it('a reset connection (I05)', async () => {
    expect(await failureOf(await rawReceiver((socket) => socket.resetAndDestroy()))).toBe('CONNECTION_RESET');
  });
  it('a refused connection (I05)', async () => {
    const receiver = await startReceiver(withStatus(200));
    await receiver.close();
    expect(await failureOf(receiver.url)).toBe('CONNECTION_REFUSED');
  });
  it('a server without TLS, or with a certificate nobody signed (I05, H17)', async () => {
    const url = await rawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await failureOf(url.replace('http:', 'https:'))).toBe('TLS_FAILED');
  });
  it('a name that leads to a private address is not called (H10, H14)', async () => {
    const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
    closing.push(() => dns.close());
    const made = sender({ allowPrivate: false, dnsServers: [dns.server] });
    expect(await failureOf('https://shop.example/', made)).toBe('ADDRESS_NOT_PUBLIC');
  });
  it('our own name, and a name that leads to our own address, are not called (H15)', async () => {
    const own = await startReceiver(withStatus(200));
    const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
    closing.push(
      () => own.close(),
      () => dns.close(),
    );
    const { port } = new URL(own.url);
    const made = (ownHosts: string[]) => sender({ allowPrivate: true, dnsServers: [dns.server], ownHosts });
    const url = `http://api.pay.example:${port}/`;
    expect(await failureOf(url, made([]))).toBe(200);
    expect(await failureOf(url, made(['api.pay.example']))).toBe('ADDRESS_NOT_PUBLIC');
    expect(await failureOf(url, made(['127.0.0.1']))).toBe('ADDRESS_NOT_PUBLIC');
    expect(own.received).toHaveLength(1);
  });

  describe('a certificate (H17)', () => {
    const pem = (name: string) => readFileSync(new URL(`../../test/certificates/${name}`, import.meta.url), 'utf8');
    const before = getCACertificates();
    beforeAll(() => {
      // The authority is trusted, so that each case fails for its own reason; the valid certificate proves it.
      setDefaultCACertificates([...before, pem('authority.pem')]);
    });
    afterAll(() => {
      setDefaultCACertificates(before);
    });

    /** A TLS server that speaks only the given options, reached as shop.example. */
    async function failureWith(certificate: string, options: TlsOptions = {}) {
      const server = createHttpsServer({ cert: pem(`${certificate}.pem`), key: pem(`${certificate}.key`), ...options }, (_req, res) =>
        res.end(),
      ).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
      closing.push(
        () => dns.close(),
        () => server.close(),
        () => {
          server.closeAllConnections();
        },
      );
      const { port } = server.address() as AddressInfo;
      return failureOf(`https://shop.example:${String(port)}/`, sender({ allowPrivate: true, dnsServers: [dns.server] }));
    }

    it('that is right: the callback is delivered', async () => {
      expect(await failureWith('good')).toBe(200);
    });
    it.each([['expired'], ['self-signed'], ['other-name']])('%s: no answer, tried again', async (certificate) => {
      expect(await failureWith(certificate)).toBe('TLS_FAILED');
    });
    it.each<[SecureVersion]>([['TLSv1'], ['TLSv1.1']])('and only %s: no answer, tried again', async (version) => {
      // The server's own library refuses so old a version unless it is configured to be weak.
      const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      expect(await failureWith('good', options)).toBe('TLS_FAILED');
    });
  });

  it('a name that does not exist (I05)', async () => {
    const dns = await startDnsServer(() => 'NXDOMAIN');
    closing.push(() => dns.close());
    const made = sender({ allowPrivate: false, dnsServers: [dns.server] });
    expect(await failureOf('https://shop.example/', made)).toBe('NAME_NOT_RESOLVED');
  });
  it.each([
    ['http://127.0.0.1:PORT/'],
    ['http://localhost:PORT/'],
    ['http://[::1]:PORT/'],
    ['http://127.0.0.2:PORT/'],
    ['http://x.localhost:PORT/'],
    ['http://shop.example:PORT/'],
  ])('in TEST too no program of ours is called: %s (N12)', async (address) => {
    const own = await startReceiver(withStatus(200));
    const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
    closing.push(
      () => own.close(),
      () => dns.close(),
    );
    const { port } = new URL(own.url);
    const rules = { allowPrivate: true, dnsServers: [dns.server], ownHosts: [`127.0.0.1:${port}`, 'postgres:5432'] };
    expect(await failureOf(address.replace('PORT', port), sender(rules))).toBe('ADDRESS_NOT_PUBLIC');
    expect(own.received).toHaveLength(0);
  });
  it('in TEST a program of ours is found by its name, too, under whatever address it is called (N12)', async () => {
    const own = await startReceiver(withStatus(200));
    const dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
    closing.push(
      () => own.close(),
      () => dns.close(),
    );
    const { port } = new URL(own.url);
    const of = (ownHosts: string[]) => sender({ allowPrivate: true, dnsServers: [dns.server], ownHosts });
    expect(await failureOf(own.url, of([`gateway:${port}`]))).toBe('ADDRESS_NOT_PUBLIC');
    expect(await failureOf(own.url, of([`gateway:${String(Number(port) - 1)}`]))).toBe(200);
    expect(own.received).toHaveLength(1);
  });
  it('an address that is no longer allowed is not called (H16)', async () => {
    expect(await failureOf('https://shop.example:22/', sender({ allowPrivate: false }))).toBe('ADDRESS_NOT_PUBLIC');
  });
  it('a proxy of the environment is ignored (H18)', async () => {
    const proxy = await startReceiver(withStatus(200));
    const receiver = await startReceiver(withStatus(200));
    closing.push(
      () => proxy.close(),
      () => receiver.close(),
    );
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = proxy.url;
    closing.push(() => {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    });
    await sender().send(outgoing(receiver.url), never);
    expect(proxy.received).toHaveLength(0);
    expect(receiver.received).toHaveLength(1);
  });

  async function silentDns() {
    const dns = await startDnsServer(() => 'SILENCE');
    closing.push(() => dns.close());
    return dns;
  }
});
