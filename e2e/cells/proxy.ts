import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { sendTo } from '../../tools/cells/move/proxies.ts';
import type { Proxy } from '../../tools/cells/move/settings.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { obtainProgram } from '../../tools/infrastructure/obtain-program.ts';
import type { Undo } from '../restore/system.ts';
import type { Check } from './main.ts';

/**
 * HAProxy with `deploy/cells` in front of two gateways, with the map's file as it is there.
 */
export async function startProxy(folder: string, cells: readonly [string, string], undo: Undo[]) {
  const haproxy = await obtainProgram('haproxy', () => undefined);
  mkdirSync(folder, { recursive: true });
  const spare = await listen(() => undefined);
  const port = portOf(spare);
  spare.close();
  await once(spare, 'close');
  const map = join(folder, 'partners.map');
  copyFileSync(join(ROOT, 'deploy/cells/partners.map'), map);
  const proxy: Proxy = { socket: join(folder, 'p.sock'), map };
  const [one, two] = cells.map((url) => new URL(url).host);
  const env = { BIND: `127.0.0.1:${String(port)}`, PARTNERS_MAP: map, RUNTIME_SOCKET: proxy.socket, CELL_1: one, CELL_2: two };
  const config = join(ROOT, 'deploy/cells/haproxy.cfg');
  await promisify(execFile)(haproxy, ['-c', '-f', config], { env });
  const running = spawn(haproxy, ['-db', '-f', config], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(running, 'exit');
  const stop = async () => {
    running.kill();
    await ended;
  };
  undo.push(stop);
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  for (;;) {
    const isUp = await fetch(baseUrl).then(
      async (answer) => (await answer.text(), true),
      () => false,
    );
    if (isUp) return { baseUrl, proxy, stop };
    if (running.exitCode !== null) throw new Error('haproxy ended');
  }
}

type Seen = {
  readonly cell: string;
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  readonly sha256: string;
};

async function listen(answer: (req: IncomingMessage, res: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Awaited<ReturnType<typeof listen>>): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

/** A cell that answers with what it got. */
const startEcho = (cell: string) =>
  listen(
    (req, res) =>
      void text(req).then((body) => {
        const sha256 = createHash('sha256').update(body).digest('hex');
        const { method = '', url = '', headers } = req;
        const seen: Seen = { cell, method, url, authorization: headers.authorization ?? '', sha256 };
        res.setHeader('content-type', 'application/json').end(JSON.stringify(seen));
      }),
  );

const authorizationOf = (partnerID: string) =>
  JSON.stringify({ partnerID, key: 'ssh-ed25519 AAAA', sign: 'c2lnbg==', timestamp: '1', nonce: randomBytes(8).toString('hex') });

/**
 * Which of two cells gets whose calls, that what is signed arrives as it was sent, and that a partner is held and moved while calls go on.
 */
export async function checkProxy(folder: string, check: Check, undo: Undo[]): Promise<void> {
  const [one, two] = [await startEcho('cell-1'), await startEcho('cell-2')];
  undo.push(async () => {
    await Promise.all([one, two].map((server) => (server.closeAllConnections(), once(server.close(), 'close'))));
  });
  const { baseUrl, proxy } = await startProxy(
    folder,
    [`http://127.0.0.1:${String(portOf(one))}`, `http://127.0.0.1:${String(portOf(two))}`],
    undo,
  );
  const call = async (authorization: string | undefined, body = '{"orderID":"один"}') => {
    const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
    return fetch(`${baseUrl}/api/card?b=%D0%B0&a=1+2`, { method: 'POST', headers, body });
  };
  const cellOf = async (authorization: string | undefined): Promise<string> => {
    const answer = await call(authorization);
    return answer.ok ? ((await answer.json()) as Seen).cell : String(answer.status);
  };
  const [first, second] = ['somebody-else', 'partner-in-the-second'].map(authorizationOf);
  check('a partner of the map reaches its cell', (await cellOf(second)) === 'cell-2');
  check('everybody else reaches the first cell', (await cellOf(first)) === 'cell-1');
  check(
    'so does who names nobody, and who sends something else',
    (await cellOf(undefined)) === 'cell-1' && (await cellOf('Bearer x')) === 'cell-1',
  );
  const seen = (await (await call(second, ' {"a" : 1.50}\n')).json()) as Seen;
  check(
    'what is signed arrives as it was sent',
    seen.authorization === second &&
      seen.url === '/api/card?b=%D0%B0&a=1+2' &&
      seen.method === 'POST' &&
      seen.sha256 === createHash('sha256').update(' {"a" : 1.50}\n').digest('hex'),
  );
  await sendTo([proxy], 'partner-in-the-second', 'moving');
  const held = await call(second);
  check(
    'who is being moved gets 503 with Retry-After',
    held.status === 503 && held.headers.get('retry-after') === '30' && (await held.text()).includes('SERVICE_UNAVAILABLE'),
  );
  check('the others do not notice', (await cellOf(first)) === 'cell-1');
  await sendTo([proxy], 'partner-in-the-second', 'cell-1');
  check('and reaches the new cell from the next call on', (await cellOf(second)) === 'cell-1');
  await sendTo([proxy], 'somebody-else', 'cell-2');
  check('a partner is added to the map of a running proxy', (await cellOf(first)) === 'cell-2');
}
