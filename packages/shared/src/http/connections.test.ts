import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { trustedProxies } from '../net/client-address.ts';
import { listen, type Listener } from './server.ts';

let listener: Listener;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await listener.drain(0);
});

async function open(localAddress: string, text: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: listener.port, localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'connect');
  return socket;
}

/** Opens sockets in handfuls: the system keeps few that nobody has taken yet. */
async function openMany(count: number, localAddress: string, text: string): Promise<void> {
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(Array.from({ length: 100 }, () => open(localAddress, text)));
  }
}

async function statusOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('latin1').slice(0, 'HTTP/1.1 200'.length);
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** Headers that do not end. */
const SLOW = 'GET / HTTP/1.1\r\nHost: x\r\n';

it.each([
  ['slow ones', SLOW],
  ['idle ones', REQUEST],
])(
  'M6: 5,100 connections of one address, %s, keep nobody out, not even that address',
  async (_name, text) => {
    listener = await listen((_req, res) => res.end('ok'), '127.0.0.1', 0, { headersTimeoutMs: 15_000 });
    await openMany(5_100, '127.0.0.1', text);
    expect(await statusOf(await open('127.0.0.2', REQUEST))).toBe('HTTP/1.1 200');
    expect(await statusOf(await open('127.0.0.1', REQUEST))).toBe('HTTP/1.1 200');
  },
  60_000,
);

it('M6: a trusted proxy has more than its share, and what is all gets the place of an idle one', async () => {
  const proxies = trustedProxies.parse('127.0.0.1');
  listener = await listen((_req, res) => res.end('ok'), '127.0.0.1', 0, { headersTimeoutMs: 15_000, proxies });
  await openMany(3_000, '127.0.0.1', SLOW);
  const alive = () => sockets.filter(({ closed }) => !closed).length;
  expect(await statusOf(await open('127.0.0.2', REQUEST))).toBe('HTTP/1.1 200');
  expect(alive()).toBe(3_001);
  await openMany(2_100, '127.0.0.1', SLOW);
  expect(await statusOf(await open('127.0.0.2', REQUEST))).toBe('HTTP/1.1 200');
});

it('S3: requests that come in one go are worked on one after another, and not at all after a connection that is to close', async () => {
  const running: string[] = [];
  let most = 0;
  listener = await listen(
    (req, res) => {
      running.push(req.url ?? '');
      most = Math.max(most, running.length);
      setImmediate(() => {
        running.pop();
        if (req.url === '/last') res.setHeader('Connection', 'close');
        res.end(req.url);
      });
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
