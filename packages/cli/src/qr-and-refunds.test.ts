import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type ApiServer } from '../../sdk/test/api-server.ts';
import { runHere, writeProfile } from '../test/run-cli.ts';
import { generateKeys } from '@pay/sdk/keys.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
const NOT_FOUND = { status: 404, body: { error: 'not found', code: 'NOT_FOUND', requestId: 'r-1' } };
const AT = '2026-11-21T00:00:00.000Z';
const png = Buffer.from('\x89PNG');
const created = {
  id: 'q-1',
  status: 'SUBMITTED',
  amount: '10.50',
  nspkurl: 'https://bank.example/q',
  qrImage: `data:image/png;base64,${png.toString('base64')}`,
};

let server: ApiServer;
let profile: ReturnType<typeof writeProfile>;
let seen = 0;
const pay = (...args: readonly string[]) => runHere(['--profile', profile.file, ...args]);
const sent = () => server.requests.slice(seen).map(({ method, target, body }) => [method, target, body]);

beforeAll(async () => {
  server = await startApiServer(partner);
  profile = writeProfile({ baseUrl: server.url, ...partner, paymentPoints: { card: 'pp-card', qr: 'pp-qr' } }, keys.privateKeyPem);
});
afterAll(async () => {
  await server.close();
  profile.remove();
});
beforeEach(() => {
  seen = server.requests.length;
});

describe('pay qr', () => {
  it('create: the amount goes as it was typed, at the QR point of the profile; the picture into a file', async () => {
    server.reply({ status: 201, body: created });
    const file = join(profile.folder, 'code.png');
    const { exitCode, stdout } = await pay('qr', 'create', '--amount', '10.50', '--description', 'Tea', '--png', file);
    expect(exitCode).toBe(0);
    expect(sent()).toEqual([['POST', '/api/qr', '{"paymentPointID":"pp-qr","amount":10.50,"currency":"RUB","description":"Tea"}']]);
    expect(readFileSync(file)).toEqual(png);
    expect(stdout).toContain('https://bank.example/q');
    expect(stdout).not.toContain('base64');
  });

  it('get, and list with its filters', async () => {
    server.reply({ status: 200, body: created });
    expect(JSON.parse((await pay('qr', 'get', 'q-1', '--json')).stdout)).toEqual(created);
    server.reply({
      status: 200,
      body: { items: [{ ...created, amount: 10.5, refundedAmount: '0.00', createdAt: AT }], nextPageToken: 't' },
    });
    const { stdout } = await pay('qr', 'list', '--status', 'COMPLETED', '--from', '2026-11-21T00:00:00Z', '--limit', '5');
    expect(stdout).toContain('more: --page-token t');
    expect(sent().map(([, target]) => target)).toEqual([
      '/api/qr/q-1',
      '/api/payments/pp-qr?limit=5&from=2026-11-21T00%3A00%3A00Z&status=COMPLETED',
    ]);
  });

  it.each([
    ['a status that is none', ['list', '--status', 'PAID']],
    ['a limit that is none', ['list', '--limit', 'many']],
  ])('2: %s, and nothing is sent', async (_name, args) => {
    expect((await pay('qr', ...args)).exitCode).toBe(2);
    expect(sent()).toEqual([]);
  });

  it('pay: never opens a page that is not the sandbox bank’s', async () => {
    server.reply({ status: 200, body: created });
    const { exitCode, stderr } = await pay('qr', 'pay', 'q-1');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('only codes of the sandbox bank')]);
  });
});

describe('pay refund', () => {
  const refund = { refundId: 'r-1', status: 'COMPLETED', amount: '1.00', createdAt: AT };

  it('create: a card payment first, else a QR payment, with the same body', async () => {
    server.reply(NOT_FOUND, { status: 201, body: refund });
    const { exitCode, stdout } = await pay('refund', 'create', 'q-1', '--amount', '1.00', '--reason', 'Cold', '--refund', 'R-1');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('COMPLETED')]);
    const body = '{"amount":"1.00","reason":"Cold","merchantRefundId":"R-1"}';
    expect(sent()).toEqual([
      ['POST', '/api/card/q-1/refunds', body],
      ['POST', '/api/qr/q-1/refunds', body],
    ]);
  });

  it('create without an amount: all that remains', async () => {
    server.reply({ status: 201, body: refund });
    await pay('refund', 'create', 'c-1');
    expect(sent()).toEqual([['POST', '/api/card/c-1/refunds', '{}']]);
  });

  it('get and list', async () => {
    server.reply({ status: 200, body: refund }, { status: 200, body: { items: [refund], nextPageToken: null } });
    expect((await pay('refund', 'get', 'r-1')).stdout).toContain('r-1');
    expect((await pay('refund', 'list', 'c-1', '--limit', '2')).stdout).toContain('COMPLETED');
    expect(sent().map(([, target]) => target)).toEqual(['/api/refunds/r-1', '/api/card/c-1/refunds?limit=2']);
  });
});
