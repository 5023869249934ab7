import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { trustedProxies } from '../net/client-address.ts';
import { boundConnections } from './connections.ts';
import { listen, type Listener } from './server.ts';

let listener: Listener;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await listener.drain(0);
});

/** The system takes the first one by itself; if it is asked for, finding a free port among thousands takes far longer. */
const from = (address: string) => (address === '127.0.0.1' ? {} : { localAddress: address });

async function open(localAddress: string, text: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: listener.port, ...from(localAddress) });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'connect');
  return socket;
}

/**
 * Opens sockets a few at a time: the system's accept queue is short, and what it drops is tried again after a second. A
 * connection that is answered was accepted after all before it.
 */
async function openMany(count: number, localAddress: string, text: string): Promise<void> {
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(Array.from({ length: 100 }, () => open(localAddress, text)));
    const last = await open('127.0.0.9', REQUEST);
    await statusOf(last);
    last.destroy();
    await once(last, 'close');
  }
}

async function statusOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('latin1').slice(0, 'HTTP/1.1 200'.length);
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** Headers that never end. */
const SLOW = 'GET / HTTP/1.1\r\nHost: x\r\n';
/** Not answered until the test says so. */
const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';

it('5,100 slow connections of one address keep nobody out, not even that address (M6)', async () => {
  listener = await listen((_req, res) => res.end('ok'), '127.0.0.1', 0, { headersTimeoutMs: 15_000 });
  await openMany(5_100, '127.0.0.1', SLOW);
  expect(await statusOf(await open('127.0.0.2', REQUEST))).toBe('HTTP/1.1 200');
  expect(await statusOf(await open('127.0.0.1', REQUEST))).toBe('HTTP/1.1 200');
});

it('cuts the connection of a client that takes nothing of its response', async () => {
  const closed = Promise.withResolvers<null>();
  const whole = Buffer.alloc(64 * 1024 * 1024);
  const app = (_req: unknown, res: ServerResponse) => {
    res.once('close', () => {
      closed.resolve(null);
    });
    res.end(whole);
  };
  listener = await listen(app, '127.0.0.1', 0, { stalledMs: 50 });
  const socket = await open('127.0.0.1', REQUEST);
  socket.pause();
  await closed.promise;
  let taken = 0;
  for await (const chunk of socket) taken += (chunk as Buffer).length;
  expect(taken).toBeLessThan(whole.length);
});

it('cuts nobody whose response takes long to make', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const app = (_req: unknown, res: ServerResponse) => {
    held.resolve(res);
  };
  listener = await listen(app, '127.0.0.1', 0, { stalledMs: 10 });
  const socket = await open('127.0.0.1', REQUEST);
  const res = await held.promise;
  for (const _time of ['first', 'second']) await once(res, 'timeout');
  res.end('ok');
  expect(await statusOf(socket)).toBe('HTTP/1.1 200');
});

/** A listener with ten connections; `/held` is answered when the test says so. */
async function startSmall(trusted: string) {
  const held: ServerResponse[] = [];
  const alive = new Set<Socket>();
  const server = createServer((req, res) => {
    connections.startInOrder(req.socket, res, () => (req.url === '/held' ? held.push(res) : res.end('ok')));
  });
  const proxies = trustedProxies.parse(trusted);
  const connections = boundConnections(server, { max: 10, proxies, keepAliveMs: 60_000 });
  server.on('connection', (socket) => {
    if (socket.destroyed) return;
    alive.add(socket);
    socket.once('close', () => alive.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closed = once(server, 'close');
  listener = {
    port: (server.address() as AddressInfo).port,
    async drain() {
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return { held, aliveOf: (address: string) => [...alive].filter((socket) => socket.remoteAddress === address).length };
}

/** The status of the response, or that there was none. */
async function answerOf(localAddress: string, text: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: listener.port, localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(text);
  return Promise.race([statusOf(socket), once(socket, 'close').then(() => 'closed')]);
}

it('one address has half of all, and who is worked for keeps the place (M6)', async () => {
  const { held } = await startSmall('none');
  const working = Array.from({ length: 5 }, () => answerOf('127.0.0.1', HELD));
  while (held.length < 5) await wait(5);
  expect(await answerOf('127.0.0.1', REQUEST)).toBe('closed');
  expect(await answerOf('127.0.0.2', REQUEST)).toBe('HTTP/1.1 200');
  for (const res of held) res.end('ok');
  expect(await Promise.all(working)).toEqual(working.map(() => 'HTTP/1.1 200'));
  // They are idle now.
  expect(await answerOf('127.0.0.1', REQUEST)).toBe('HTTP/1.1 200');
});

it('where all are taken, an idle one of a stranger gives way before those of a proxy, and there are never more (M6)', async () => {
  const { aliveOf } = await startSmall('127.0.0.1');
  for (let count = 0; count < 6; count += 1) expect(await answerOf('127.0.0.1', REQUEST)).toBe('HTTP/1.1 200');
  for (let count = 0; count < 4; count += 1) expect(await answerOf('127.0.0.2', REQUEST)).toBe('HTTP/1.1 200');
  expect(await answerOf('127.0.0.3', REQUEST)).toBe('HTTP/1.1 200');
  expect(['127.0.0.1', '127.0.0.2', '127.0.0.3'].map(aliveOf)).toEqual([6, 3, 1]);
});

it('a trusted proxy has more than its share, and what is all gets the place of an idle one (M6)', async () => {
  const proxies = trustedProxies.parse('127.0.0.1');
  listener = await listen((_req, res) => res.end('ok'), '127.0.0.1', 0, { headersTimeoutMs: 15_000, proxies });
  await openMany(3_000, '127.0.0.1', SLOW);
  const alive = () => sockets.filter(({ closed }) => !closed).length;
  expect(await statusOf(await open('127.0.0.2', REQUEST))).toBe('HTTP/1.1 200');
  expect(alive()).toBe(3_001);
  await openMany(2_100, '127.0.0.1', SLOW);
  expect(await statusOf(await open('127.0.0.2', REQUEST))).toBe('HTTP/1.1 200');
});

it('requests that come in one go are worked on one after another, and not at all after a connection that is to close (S3)', async () => {
  const running: string[] = [];
  let most = 0;
  listener = await listen(
    (req, res) => {
      running.push(req.url ?? '');
      most = Math.max(most, running.length);
      setTimeout(() => {
        running.pop();
        if (req.url === '/last') res.setHeader('Connection', 'close');
        res.end(req.url);
      }, 0);
      if (req.url === '/never') most = Infinity;
    },
    '127.0.0.1',
    0,
  );
  const paths = [...Array.from({ length: 50 }, (_none, index) => `/${String(index)}`), '/last', '/never'];
  const socket = await open('127.0.0.1', paths.map((path) => REQUEST.replace('/ ', `${path} `)).join(''));
  let said = '';
  socket.on('data', (data: Buffer) => {
    said += data.toString('latin1');
  });
  await once(socket, 'close');
  expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(51);
  expect(most).toBe(1);
});
