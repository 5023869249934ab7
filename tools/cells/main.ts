import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ROOT } from '../infrastructure/folders.ts';
import { programOnPath } from '../infrastructure/programs.ts';

/**
 * `npm run test:cells`: starts HAProxy with `deploy/cells` in front of two cells that say what reached them, and checks which cell gets
 * whose calls, that what is signed arrives as it was sent, and that a partner is held and moved while calls go on. Needs `haproxy` on the path (a Debian package).
 */
const found = programOnPath('haproxy');
if (found === undefined) {
  process.stderr.write('haproxy is needed on the path\n');
  process.exit(1);
}
const haproxy = found;
const folder = mkdtempSync(join(tmpdir(), 'cells-'));

type Seen = { readonly cell: string; readonly method: string; readonly url: string; readonly authorization: string; readonly sha256: string }; // prettier-ignore

/** A cell that answers with what it got. */
async function startCell(cell: string) {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const sha256 = createHash('sha256')
      .update(await text(req))
      .digest('hex');
    const { method = '', url = '', headers } = req;
    const seen: Seen = { cell, method, url, authorization: headers.authorization ?? '', sha256 };
    res.setHeader('content-type', 'application/json').end(JSON.stringify(seen));
  };
  const server = createServer((req, res) => void answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Awaited<ReturnType<typeof startCell>>): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

/** Tells the running HAProxy something, as an operator does with socat. */
async function tell(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

const authorizationOf = (partnerID: string) =>
  JSON.stringify({ partnerID, key: 'ssh-ed25519 AAAA', sign: 'c2lnbg==', timestamp: '1', nonce: randomBytes(8).toString('hex') }); // prettier-ignore

function check(what: string, isTrue: boolean): void {
  process.stdout.write(`${isTrue ? 'ok' : 'FAILED'}  ${what}\n`);
  if (!isTrue) process.exitCode = 1;
}

const [one, two] = [await startCell('cell-1'), await startCell('cell-2')];
const spare = await startCell('spare');
const port = portOf(spare);
spare.close();
await once(spare, 'close');
const map = join(folder, 'partners.map');
copyFileSync(join(ROOT, 'deploy/cells/partners.map'), map);
const socket = join(folder, 'runtime.sock');
const env = { BIND: `127.0.0.1:${String(port)}`, PARTNERS_MAP: map, RUNTIME_SOCKET: socket, CELL_1: `127.0.0.1:${String(portOf(one))}`, CELL_2: `127.0.0.1:${String(portOf(two))}` }; // prettier-ignore
const config = join(ROOT, 'deploy/cells/haproxy.cfg');
await promisify(execFile)(haproxy, ['-c', '-f', config], { env });
const proxy = spawn(haproxy, ['-db', '-f', config], { env, stdio: ['ignore', 'ignore', 'inherit'] });

const call = async (authorization: string | undefined, body = '{"orderID":"один"}') => {
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
  return fetch(`http://127.0.0.1:${String(port)}/api/card?b=%D0%B0&a=1+2`, { method: 'POST', headers, body });
};
const cellOf = async (authorization: string | undefined): Promise<string> => {
  const answer = await call(authorization);
  return answer.ok ? ((await answer.json()) as Seen).cell : String(answer.status);
};

try {
  for (;;) {
    const isUp = await call(undefined).then(({ ok }) => ok, () => false); // prettier-ignore
    if (isUp) break;
    if (proxy.exitCode !== null) throw new Error('haproxy ended');
  }
  const [first, second] = ['somebody-else', 'partner-in-the-second'].map(authorizationOf);
  check('a partner of the map reaches its cell', (await cellOf(second)) === 'cell-2');
  check('everybody else reaches the first cell', (await cellOf(first)) === 'cell-1');
  check('so does who names nobody, and who sends something else', (await cellOf(undefined)) === 'cell-1' && (await cellOf('Bearer x')) === 'cell-1'); // prettier-ignore
  const seen = (await (await call(second, ' {"a" : 1.50}\n')).json()) as Seen;
  check('what is signed arrives as it was sent', seen.authorization === second && seen.url === '/api/card?b=%D0%B0&a=1+2' && seen.method === 'POST' && seen.sha256 === createHash('sha256').update(' {"a" : 1.50}\n').digest('hex')); // prettier-ignore
  await tell(socket, `set map ${map} partner-in-the-second moving`);
  const held = await call(second);
  check('who is being moved gets 503 with Retry-After', held.status === 503 && held.headers.get('retry-after') === '30' && (await held.text()).includes('SERVICE_UNAVAILABLE')); // prettier-ignore
  check('the others do not notice', (await cellOf(first)) === 'cell-1');
  await tell(socket, `set map ${map} partner-in-the-second cell-1`);
  check('and reaches the new cell from the next call on', (await cellOf(second)) === 'cell-1');
  await tell(socket, `add map ${map} somebody-else cell-2`);
  check('a partner is added to the map of a running proxy', (await cellOf(first)) === 'cell-2');
} finally {
  proxy.kill();
  await once(proxy, 'exit');
  one.close();
  two.close();
  rmSync(folder, { recursive: true });
}
