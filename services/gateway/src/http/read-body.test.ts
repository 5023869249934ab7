import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ClientGoneError, readBody } from './read-body.ts';

let server: Server;
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes and gives the request as the server sees it. */
async function received(bytes: string) {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1', () => client.write(bytes));
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  return { req, client };
}

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n';

it('gives the bytes, and leaves nothing that would make an error when the request closes', async () => {
  const { req, client } = await received(`${HEAD}body`);
  const before = req.listenerCount('close');
  const body = readBody(req);
  let left: number | undefined;
  // At the end, and before the close that follows it.
  req.once('end', () => {
    left = req.listenerCount('close');
  });
  expect(String(await body)).toBe('body');
  expect(left).toBe(before);
  client.destroy();
});

it('says that the client is gone if the request breaks off', async () => {
  const { req, client } = await received(`${HEAD}bo`);
  const body = readBody(req);
  client.destroy();
  await expect(body).rejects.toThrow(ClientGoneError);
});
