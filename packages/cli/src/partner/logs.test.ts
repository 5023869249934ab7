import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generateKeys } from '@pay/sdk/keys.ts';
import { startApiServer, type ApiServer } from '../../../sdk/test/api-server.ts';
import { runCli, runHere, spawnCli, writeProfile } from '../../test/run-cli.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
const refused = {
  requestId: 'r-1',
  at: '2026-11-21T00:00:00.000Z',
  method: 'POST',
  path: '/api/card',
  status: 401,
  durationMs: 1.5,
  code: 'UNAUTHORIZED',
  error: 'unauthorized',
  details: [
    { field: 'cause', message: 'signature_mismatch' },
    { field: 'canonicalString', message: '1\n2' },
  ],
};

let server: ApiServer;
let profile: ReturnType<typeof writeProfile>;
beforeAll(async () => {
  server = await startApiServer(partner);
  profile = writeProfile({ baseUrl: server.url, ...partner }, keys.privateKeyPem);
});
afterAll(async () => {
  await server.close();
  profile.remove();
});

it('list: a table, and how to go on', async () => {
  server.reply({ status: 200, body: { items: [refused], nextPageToken: 't' } });
  const { stdout, exitCode } = await runHere(['--profile', profile.file, 'logs', 'list', '--limit', '1']);
  expect([exitCode, stdout]).toEqual([
    0,
    '2026-11-21T00:00:00.000Z  POST  /api/card  401  UNAUTHORIZED  1.5 ms  r-1\nmore: --page-token t\n',
  ]);
  expect(server.requests.at(-1)).toMatchObject({ method: 'GET', target: '/api/requests?limit=1' });
});

it('tail: a request with the reason of its refusal, as it comes; 1 where there is no log', async () => {
  server.reply({
    status: 200,
    respond(_request, res) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(`id: 1\n\nid: 2\nevent: request\ndata: ${JSON.stringify(refused)}\n\n`);
    },
  });
  const tail = spawnCli(['--profile', profile.file, 'logs', 'tail']);
  let printed = '';
  for await (const chunk of tail.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes('canonicalString')) break;
  }
  const closed = once(tail, 'close');
  tail.kill('SIGINT');
  await closed;
  expect([tail.exitCode, printed]).toEqual([
    0,
    '2026-11-21T00:00:00.000Z  POST  /api/card  401  UNAUTHORIZED  1.5 ms  r-1\n  unauthorized\n  cause: signature_mismatch\n  canonicalString: 1␊\n    2\n',
  ]);
  server.reply({ status: 404, body: { error: 'not found', code: 'NOT_FOUND', requestId: 'r-2' } });
  expect((await runCli(['--profile', profile.file, 'logs', 'tail'])).exitCode).toBe(1);
});
