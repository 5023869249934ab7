// `node bench/bare-proxy.ts <url>`: node:http in, undici out, one Ed25519 verification in between, and none of a
// gateway's
// other work. The floor of `npm run bench -- gateway`. Prints its port when it listens; `/cpu` returns the CPU
// milliseconds used.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { CONCURRENCY } from './partner.ts';
import { verifyOnce } from './signature.ts';

const [, , url = ''] = process.argv;
const pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 });

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/cpu') {
    const { user, system } = process.cpuUsage();
    res.end(String((user + system) / 1_000));
    return;
  }
  verifyOnce();
  const headers = { 'x-internal-token': req.headers['x-internal-token'] ?? '' };
  const { statusCode, body } = await pool.request({ method: 'GET', path: req.url ?? '/', headers });
  const answer = await body.bytes();
  res.writeHead(statusCode, { 'Content-Type': 'application/json', 'Content-Length': answer.length }).end(answer);
}

const server = createServer((req, res) => {
  void serve(req, res);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${String((server.address() as AddressInfo).port)}\n`);
});
