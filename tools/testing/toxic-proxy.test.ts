import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startToxicProxy, type ToxicProxy } from './toxic-proxy.ts';

let server: Server;
let proxy: ToxicProxy;
let sockets: Socket[] = [];
beforeEach(async () => {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startToxicProxy(() => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await proxy.close();
  server.close();
});

async function open(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: proxy.port });
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends the text and waits for its echo; returns the milliseconds it took. */
async function echo(socket: Socket, text: string): Promise<number> {
  const begin = performance.now();
  socket.write(text);
  for (let received = ''; received.length < text.length;) received += String(await once(socket, 'data'));
  return performance.now() - begin;
}

const failure = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('error', resolve));

describe('a toxic proxy', () => {
  it('passes everything on, and the end of a connection, until it is told otherwise', async () => {
    const socket = await open();
    await echo(socket, 'x'.repeat(300_000));
    socket.end();
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(300_000);
  });

  it('is late by what it is told, in each direction, and slow', async () => {
    const socket = await open();
    await proxy.set({ latencyMs: 60 });
    expect(await echo(socket, 'late')).toBeGreaterThanOrEqual(118);
    await proxy.set({ bytesPerSecond: 100 });
    expect(await echo(socket, 'x'.repeat(30))).toBeGreaterThanOrEqual(200);
  });

  it('keeps what is sent while it is frozen, and passes it on afterwards', async () => {
    const socket = await open();
    await echo(socket, 'before');
    await proxy.set({ frozen: true });
    const answer = echo(socket, 'meanwhile');
    expect(socket.bytesRead).toBe('before'.length);
    await proxy.set({});
    await answer;
    expect(socket.bytesRead).toBe('beforemeanwhile'.length);
  });

  it('refuses new connections and keeps the old ones, on its own port again afterwards', async () => {
    const socket = await open();
    await proxy.set({ refusing: true });
    await expect(open()).rejects.toThrow('ECONNREFUSED');
    await echo(socket, 'still');
    await proxy.set({});
    expect(await echo(await open(), 'again')).toBeGreaterThan(0);
  });

  it('resets connections, all of them or at what they say', async () => {
    const [one, other] = [await open(), await open()];
    await Promise.all([echo(one, 'one'), echo(other, 'other')]);
    await proxy.set({ resetsOn: (chunk) => chunk.includes('commit') });
    const failed = failure(one);
    one.write('commit');
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    const ended = failure(other);
    proxy.reset();
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
  });

  it('abandons connections: they stay open and lead nowhere, new ones do', async () => {
    const socket = await open();
    await echo(socket, 'before');
    proxy.abandon();
    socket.write('lost');
    expect(await echo(await open(), 'new')).toBeGreaterThan(0);
    expect(socket.bytesRead).toBe('before'.length);
    expect(socket.destroyed).toBe(false);
  });
});
