import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { runCli, writeProfile } from '../../test/run-cli.ts';
import { generateKeys } from '../keys.ts';
import { createProgram } from './program.ts';

const SERVICES = ['bindings', 'console', 'gateway', 'notifier', 'payments', 'withdrawals'] as const;
const tokenKeys = Object.fromEntries(SERVICES.map((service, index) => [service, Buffer.alloc(32, index + 1)]));
const keys = generateKeys();

/** One call as the operator API got it; `as` is the login, undefined when the token is not for this service. */
type Call = { readonly call: string; readonly body: unknown; readonly as: string | undefined };

let servers: Server[];
let profile: ReturnType<typeof writeProfile>;
let calls: Call[] = [];
let reply: { status: number; body: unknown };

beforeAll(async () => {
  servers = await Promise.all(SERVICES.map((service) => listenAs(service)));
  profile = writeProfile(
    { baseUrl: 'http://127.0.0.1:9', partnerID: 'partner-a', publicKey: keys.publicKey },
    keys.privateKeyPem,
  );
  const portOf = (at: number) => (servers[at]?.address() as AddressInfo).port;
  const ports = Object.fromEntries(SERVICES.map((service, at) => [`${service}-1-private`, portOf(at)]));
  const operatorTokenKeys = Object.fromEntries(
    Object.entries(tokenKeys).map(([service, key]) => [service, key.toString('base64')]),
  );
  writeFileSync(join(profile.folder, 'system.json'), JSON.stringify({ ports, secrets: { operatorTokenKeys } }));
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  profile.remove();
});
beforeEach(() => {
  calls = [];
  reply = { status: 200, body: { items: [] } };
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Plays the private port of one service. */
async function listenAs(service: (typeof SERVICES)[number]): Promise<Server> {
  const verify = internalTokenVerifier(`${service}-operator`, tokenKeys[service] ?? Buffer.alloc(0));
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      calls.push({
        call: `${service}: ${String(req.method)} ${String(req.url)}`,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
        as: verify(String(req.headers['x-internal-token'])),
      });
      res.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

/** In this process: every command would otherwise cost the start of one. */
const pay = (...args: readonly string[]) =>
  createProgram().parseAsync(['node', 'pay', '--profile', profile.file, ...args]);
const printed = () =>
  jest
    .mocked(console.log)
    .mock.calls.map(([line]) => String(line))
    .join('\n');

const RANGE = ['--partner', 'p 1', '--from', '2026-11-01T00:00:00Z', '--to', '2026-11-02T00:00:00Z'] as const;
const KEY = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
const POINT = ['--name', 'Cards', '--methods', 'CARD', '--route', 'r1', '--min', '1.00', '--max', '9.00', '--fee', '250'] as const; // prettier-ignore
const point = {
  name: 'Cards',
  paymentMethods: ['CARD'],
  routeId: 'r1',
  minAmount: '1.00',
  maxAmount: '9.00',
  feeBasisPoints: 250,
  sessionMinutes: 60,
  status: 'ACTIVE',
};
const range = { partnerId: 'p 1', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };

describe('pay operator: each command is one call, with a token for that service that says who acts', () => {
  it.each<[string, readonly string[], string, unknown]>([
    ['events list', [], 'notifier: GET /operator/events', undefined],
    [
      'events list',
      ['--partner', 'p 1', '--payment', 'x', '--type', 'payment.failed', '--status', 'REFUSED', '--limit', '5'],
      'notifier: GET /operator/events?partnerId=p+1&paymentId=x&type=payment.failed&status=REFUSED&limit=5',
      undefined,
    ],
    ['events get', ['e/1'], 'notifier: GET /operator/events/e%2F1', undefined],
    ['events resend', ['e-1'], 'notifier: POST /operator/events/e-1/resend', {}],
    [
      'events list',
      ['--from', '2026-11-01T00:00:00Z', '--to', '2026-11-02T00:00:00Z', '--page-token', '1_x'],
      'notifier: GET /operator/events?from=2026-11-01T00%3A00%3A00Z&to=2026-11-02T00%3A00%3A00Z&pageToken=1_x',
      undefined,
    ],
    ['receivers list', [], 'notifier: GET /operator/partners', undefined],
    [
      'receivers list',
      ['--after', 'p1', '--limit', '100'],
      'notifier: GET /operator/partners?after=p1&limit=100',
      undefined,
    ],
    [
      'actions',
      ['--partner', 'p1', '--limit', '3'],
      'notifier: GET /operator/actions?partnerId=p1&limit=3',
      undefined,
    ],
    ['receivers get', ['p 1'], 'notifier: GET /operator/partners/p%201', undefined],
    ['receivers rotate-secret', ['p1'], 'notifier: POST /operator/partners/p1/secret-rotation', {}],
    [
      'receivers rotate-secret',
      ['p1', '--overlap-hours', '0'],
      'notifier: POST /operator/partners/p1/secret-rotation',
      { overlapHours: 0 },
    ],
    ['receivers test-callback', ['p1'], 'notifier: POST /operator/partners/p1/test-callback', {}],
    ['replays start', [...RANGE, '--dry-run'], 'notifier: POST /operator/replays', { ...range, dryRun: true }],
    ['replays start', [...RANGE], 'notifier: POST /operator/replays', range],
    [
      'replays start',
      [...RANGE, '--type', 'payment.completed', 'refund.failed', '--status', 'REFUSED', 'EXHAUSTED'],
      'notifier: POST /operator/replays',
      { ...range, types: ['payment.completed', 'refund.failed'], statuses: ['REFUSED', 'EXHAUSTED'] },
    ],
    [
      'replays list',
      ['--partner', 'p1', '--limit', '3'],
      'notifier: GET /operator/replays?partnerId=p1&limit=3',
      undefined,
    ],
    ['replays get', ['r-1'], 'notifier: GET /operator/replays/r-1', undefined],
    ['replays cancel', ['r-1'], 'notifier: POST /operator/replays/r-1/cancel', undefined],
    ['alerts', ['--partner', 'p1'], 'notifier: GET /operator/alerts?partnerId=p1', undefined],
    ['partners list', ['--after', 'p1'], 'gateway: GET /operator/partners?after=p1', undefined],
    ['partners get', ['p1'], 'gateway: GET /operator/partners/p1', undefined],
    ['partners create', ['p1', 'Tea'], 'gateway: POST /operator/partners', { partnerID: 'p1', name: 'Tea' }],
    [
      'partners rate-limit',
      ['p1', '--per-second', '5', '--burst', '10'],
      'gateway: PUT /operator/partners/p1/rate-limit',
      { ratePerSecond: 5, burst: 10 },
    ],
    ['partners suspend', ['p1'], 'gateway: POST /operator/partners/p1/suspend', undefined],
    ['partners resume', ['p1'], 'gateway: POST /operator/partners/p1/resume', undefined],
    ['partners audit', ['p1'], 'gateway: GET /operator/partners/p1/audit', undefined],
    ['keys register', ['p1', 'ssh-ed25519 A'], 'gateway: POST /operator/partners/p1/keys', { publicKey: 'ssh-ed25519 A' }],
    ['keys activate', ['p1', 'k1'], 'gateway: POST /operator/partners/p1/keys/k1/activate', undefined],
    ['keys revoke', ['p1', 'k1'], 'gateway: POST /operator/partners/p1/keys/k1/revoke', undefined],
    ['stores merchant-consent', ['s1', 'on'], 'payments: PUT /operator/stores/s1/merchant-consent', { enabled: true }],
    ['stores list', ['--partner', 'p1'], 'payments: GET /operator/stores?partnerID=p1&limit=100', undefined],
    [
      'stores create',
      ['s1', 'Tea', '--partner', 'p1'],
      'payments: POST /operator/stores',
      { storeId: 's1', partnerID: 'p1', name: 'Tea' },
    ],
    ['points get', ['p/1'], 'payments: GET /operator/payment-points/p%2F1', undefined],
    ['points create', ['s1', 'p1', ...POINT], 'payments: POST /operator/stores/s1/payment-points', { paymentPointID: 'p1', ...point }],
    ['points change', ['p1', ...POINT, '--revision', '3'], 'payments: PUT /operator/payment-points/p1', { revision: 3, ...point }],
    ['points routes', ['p1', 'CARD'], 'payments: GET /operator/payment-points/p1/routes/CARD', undefined],
    [
      'points routes',
      ['p1', 'CARD', '--set', 'a:1.00:2.00', 'b'],
      'payments: PUT /operator/payment-points/p1/routes/CARD',
      { routes: [{ routeId: 'a', minAmount: '1.00', maxAmount: '2.00' }, { routeId: 'b' }] },
    ],
    ['routes list', [], 'payments: GET /operator/routes', undefined],
    [
      'routes create',
      ['r1', 't-bank', '--max', '9.00'],
      'payments: POST /operator/routes',
      { routeId: 'r1', connector: 't-bank', maxAmount: '9.00' },
    ],
    [
      'routes limits',
      ['r1', '--min', '1.00', '--max', '9.00'],
      'payments: PUT /operator/routes/r1/limits',
      { minAmount: '1.00', maxAmount: '9.00' },
    ],
    ['routes suspend', ['r1'], 'payments: POST /operator/routes/r1/suspend', undefined],
    ['routes resume', ['r1'], 'payments: POST /operator/routes/r1/resume', undefined],
    [
      'payments list',
      ['--id', 'x', '--partner', 'p1', '--point', 'q', '--method', 'CARD'],
      'payments: GET /operator/payments?partnerID=p1&paymentPointID=q&id=x&method=CARD',
      undefined,
    ],
    ['payments get', ['x'], 'payments: GET /operator/payments/x', undefined],
    [
      'payments refund',
      ['x', '--seen-version', '2', '--reason', 'r', '--amount', '1.00', '--key', KEY],
      'payments: POST /operator/payments/x/refunds',
      { seenVersion: 2, reason: 'r', amount: '1.00', key: KEY },
    ],
    ['payments actions', ['--subject', 'x'], 'payments: GET /operator/actions?subjectId=x', undefined],
    [
      'dead-letters list',
      ['bindings', '--status', 'WAITING', '--limit', '3'],
      'bindings: GET /operator/dead-letters?status=WAITING&limit=3',
      undefined,
    ],
    ['dead-letters get', ['notifier', 'd1'], 'notifier: GET /operator/dead-letters/d1', undefined],
    ['dead-letters redrive', ['withdrawals', 'd1'], 'withdrawals: POST /operator/dead-letters/d1/redrive', {}],
    [
      'dead-letters redrive-all',
      ['notifier', '--dry-run', '--type', 'x'],
      'notifier: POST /operator/dead-letters/redrive',
      { dryRun: true, type: 'x' },
    ],
    [
      'dead-letters redrive-all',
      ['notifier', '--up-to', '2026-11-01T00:00:00Z'],
      'notifier: POST /operator/dead-letters/redrive',
      { upTo: '2026-11-01T00:00:00Z' },
    ],
    ['queues', ['payments'], 'payments: GET /operator/queues', undefined],
    [
      'overview',
      ['payments', '--from', '2026-11-01T00:00:00Z', '--to', '2026-11-02T00:00:00Z'],
      'payments: GET /operator/overview?from=2026-11-01T00%3A00%3A00Z&to=2026-11-02T00%3A00%3A00Z',
      undefined,
    ],
    ['overview', ['withdrawals'], 'withdrawals: GET /operator/overview', undefined],
    ['accounts list', [], 'console: GET /operator/operators', undefined],
    ['accounts changes', [], 'console: GET /operator/account-changes', undefined],
    ['accounts disable', ['a@b.example'], 'console: POST /operator/operators/a%40b.example/disable', {}],
    ['audit', ['--subject', 'x', '--limit', '2'], 'console: GET /operator/audit?subjectId=x&limit=2', undefined],
    ['bindings get', ['b1'], 'bindings: GET /operator/bindings/b1', undefined],
    ['consents get', ['c1'], 'bindings: GET /operator/consents/c1', undefined],
  ])('%s %j', async (command, args, call, body) => {
    await pay('operator', '--as', 'anna', ...command.split(' '), ...args);
    expect(calls).toEqual([{ call, body, as: 'anna' }]);
    expect(JSON.parse(printed())).toEqual({ items: [] });
  }); // prettier-ignore

  it('a refusal is an error that names what to correct', async () => {
    const details = [{ field: 'to', message: 'must be later than from' }];
    reply = { status: 400, body: { error: 'the request is not valid', code: 'VALIDATION_FAILED', details } };
    await expect(pay('operator', 'replays', 'start', ...RANGE)).rejects.toThrow('to: must be later than from');
  });

  it('the range and the partner of a replay are asked for before anything is sent', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(pay('operator', 'replays', 'start', '--partner', 'p1')).rejects.toMatchObject({ exitCode: 1 });
    expect(calls).toEqual([]);
  });
});

it('exit status 2 and one line where no system runs on this machine', async () => {
  const lonely = writeProfile(
    { baseUrl: 'http://127.0.0.1:9', partnerID: 'partner-a', publicKey: keys.publicKey },
    keys.privateKeyPem,
  );
  const { exitCode, stderr } = await runCli(['--profile', lonely.file, 'operator', 'alerts']);
  lonely.remove();
  expect([exitCode, stderr]).toEqual([2, 'operator commands need the system of `npm start` on this machine\n']);
});
