import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runHere, writeProfile } from '../test/run-cli.ts';
import { generateKeys } from '@pay/sdk/keys.ts';
import { createProgram } from './whole-program.ts';

const keys = generateKeys();
const PEOPLE = [
  { login: 'olga@example.com', role: 'finance', password: 'olgas password' },
  { login: 'anna@example.com', role: 'admin', password: 'annas password' },
];

/** One call as the console received it; `as` is who is signed in. */
type Call = { readonly call: string; readonly body: unknown; readonly as: string | undefined };

let server: Server;
let profile: ReturnType<typeof writeProfile>;
let calls: Call[] = [];
let signIns = 0;
let sessions = new Map<string, string>();
let reply: { status: number; body: unknown };

beforeAll(async () => {
  server = await listenAsConsole();
  const { port } = server.address() as AddressInfo;
  profile = writeProfile(
    {
      baseUrl: 'http://127.0.0.1:9',
      partnerID: 'partner-a',
      publicKey: keys.publicKey,
      consoleUrl: `http://127.0.0.1:${String(port)}`,
      operators: PEOPLE,
    },
    keys.privateKeyPem,
  );
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  profile.remove();
});
beforeEach(() => {
  calls = [];
  signIns = 0;
  reply = { status: 200, body: { items: [] } };
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A fake console: signs people in, and records their calls as `<service>: <call>`. */
async function listenAsConsole(): Promise<Server> {
  const own = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
      if (req.headers.origin !== `http://${String(req.headers.host)}`) {
        res.writeHead(403).end('{}');
        return;
      }
      if (req.url === '/api/auth/sign-in/email') {
        signIns += 1;
        const person = PEOPLE.find(({ login, password }) => login === body?.['email'] && password === body['password']);
        const session = randomUUID();
        if (person !== undefined) sessions.set(session, person.login);
        const headers = person === undefined ? {} : { 'Set-Cookie': `session=${session}; HttpOnly` };
        res.writeHead(person === undefined ? 401 : 200, headers).end('{}');
        return;
      }
      const as = sessions.get(String(req.headers.cookie).replace('session=', ''));
      const [, , first = '', ...rest] = String(req.url).split('/');
      const isOwn = /^(?:operators|account-changes|audit)/.test(first);
      const target = isOwn
        ? `console: ${String(req.method)} /operator/${[first, ...rest].join('/')}`
        : `${first}: ${String(req.method)} /operator/${rest.join('/')}`;
      if (as !== undefined) calls.push({ call: target, body, as });
      const status = as === undefined ? 401 : reply.status;
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => {
    own.listen(0, '127.0.0.1', resolve);
  });
  return own;
}

/** Runs in this process: otherwise each command would have to start its own. */
const pay = (...args: readonly string[]) => createProgram().parseAsync(['node', 'pay', '--profile', profile.file, ...args]);
const printed = () =>
  jest
    .mocked(console.log)
    .mock.calls.map(([line]) => String(line))
    .join('\n');

const RANGE = ['--partner', 'p 1', '--from', '2026-11-01T00:00:00Z', '--to', '2026-11-02T00:00:00Z'] as const;
const KEY = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
const POINT = ['--name', 'Cards', '--methods', 'CARD', '--route', 'r1', '--min', '1.00', '--max', '9.00', '--fee', '250'] as const;
/** What a new point is like where the options say nothing. */
const unsaid = {
  sessionMinutes: 60,
  status: 'ACTIVE',
  whenNotAuthenticated: 'ACCEPT',
  cardAttempts: 1,
  sbpOnCardPage: false,
};
const point = {
  name: 'Cards',
  paymentMethods: ['CARD'],
  routeId: 'r1',
  minAmount: '1.00',
  maxAmount: '9.00',
  feeBasisPoints: 250,
};
const range = { partnerId: 'p 1', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };

describe('pay operator: each command is one call through the console, as who is signed in there', () => {
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
    ['payments proposals', ['--status', 'PROPOSED'], 'payments: GET /operator/proposals?status=PROPOSED', undefined],
    [
      'points let-through',
      ['p1', 'address', '--reason', 'a fair'],
      'payments: POST /operator/held-back-cards/let-through',
      { paymentPointId: 'p1', rule: 'address', reason: 'a fair' },
    ],
    ['payments confirm', ['p1'], 'payments: POST /operator/proposals/p1/confirm', undefined],
    ['payments reject', ['p1'], 'payments: POST /operator/proposals/p1/reject', undefined],
    ['receivers list', [], 'notifier: GET /operator/partners', undefined],
    ['receivers list', ['--after', 'p1', '--limit', '100'], 'notifier: GET /operator/partners?after=p1&limit=100', undefined],
    ['actions list', ['--partner', 'p1', '--limit', '3'], 'notifier: GET /operator/actions?partnerId=p1&limit=3', undefined],
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
    ['replays list', ['--partner', 'p1', '--limit', '3'], 'notifier: GET /operator/replays?partnerId=p1&limit=3', undefined],
    ['replays get', ['r-1'], 'notifier: GET /operator/replays/r-1', undefined],
    ['replays cancel', ['r-1'], 'notifier: POST /operator/replays/r-1/cancel', undefined],
    ['alerts list', ['--partner', 'p1'], 'notifier: GET /operator/alerts?partnerId=p1', undefined],
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
    ['stores create', ['s1', 'Tea', '--partner', 'p1'], 'payments: POST /operator/stores', { storeId: 's1', partnerID: 'p1', name: 'Tea' }],
    ['points get', ['p/1'], 'payments: GET /operator/payment-points/p%2F1', undefined],
    [
      'points create',
      ['s1', 'p1', ...POINT],
      'payments: POST /operator/stores/s1/payment-points',
      { paymentPointID: 'p1', ...point, ...unsaid },
    ],
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
    [
      'payments list',
      ['--card-last-four', '1111', '--amount', '10.50', '--from', 'f', '--to', 't'],
      'payments: GET /operator/payments?cardLastFour=1111&amount=10.50&from=f&to=t',
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
    ['queues list', ['payments'], 'payments: GET /operator/queues', undefined],
    ['facts compare', ['notifier'], 'notifier: GET /operator/facts', undefined],
    [
      'facts compare',
      ['bindings', '--from', '2026-11-01T00:00:00Z'],
      'bindings: GET /operator/facts?from=2026-11-01T00%3A00%3A00Z',
      undefined,
    ],
    [
      'facts republish',
      ['withdrawals', '--to', '2026-11-01T00:00:00Z'],
      'withdrawals: POST /operator/facts/republish',
      { to: '2026-11-01T00:00:00Z' },
    ],
    [
      'overview get',
      ['payments', '--from', '2026-11-01T00:00:00Z', '--to', '2026-11-02T00:00:00Z'],
      'payments: GET /operator/overview?from=2026-11-01T00%3A00%3A00Z&to=2026-11-02T00%3A00%3A00Z',
      undefined,
    ],
    ['overview get', ['withdrawals'], 'withdrawals: GET /operator/overview', undefined],
    ['accounts list', [], 'console: GET /operator/operators', undefined],
    [
      'accounts create',
      ['a@b.example', 'Anna', '--role', 'finance'],
      'console: POST /operator/operators',
      { login: 'a@b.example', name: 'Anna', role: 'finance', signIn: 'password' },
    ],
    ['accounts role', ['a@b.example', 'admin'], 'console: POST /operator/operators/a%40b.example/role', { role: 'admin' }],
    ['accounts reset-second-factor', ['a'], 'console: POST /operator/operators/a/reset-second-factor', {}],
    ['accounts confirm', ['c1'], 'console: POST /operator/account-changes/c1/confirm', {}],
    ['accounts changes', [], 'console: GET /operator/account-changes', undefined],
    ['accounts unlock', ['a'], 'console: POST /operator/operators/a/unlock', {}],
    ['accounts disable', ['a@b.example'], 'console: POST /operator/operators/a%40b.example/disable', {}],
    ['audit list', ['--subject', 'x', '--limit', '2'], 'console: GET /operator/audit?subjectId=x&limit=2', undefined],
    ['bindings list', ['p', '--last-four', '1234'], 'bindings: GET /operator/bindings?partnerID=p&cardLastFour=1234', undefined],
    ['bindings revoke', ['b1'], 'bindings: POST /operator/bindings/b1/revoke', {}],
    ['bindings get', ['b1'], 'bindings: GET /operator/bindings/b1', undefined],
    ['consents get', ['c1'], 'bindings: GET /operator/consents/c1', undefined],
  ])('%s %j', async (command, args, call, body) => {
    await pay('--json', 'operator', '--as', 'anna', ...command.split(' '), ...args);
    expect(calls).toEqual([{ call, body, as: 'anna@example.com' }]);
    expect(JSON.parse(printed())).toEqual({ items: [] });
  });

  it('points change: sends the point as it is but for what was typed, with the revision that was seen', async () => {
    const whole = { ...point, ...unsaid, status: 'SUSPENDED', cardAttempts: 3, sbpOnCardPage: true };
    const fixed = { paymentPointId: 'p1', storeId: 's1', partnerId: 'a', createdAt: '2026-11-21T12:00:00.000Z' };
    reply = { status: 200, body: { ...whole, ...fixed, revision: 4 } };
    const change = (...args: string[]) => pay('operator', '--as', 'anna', 'points', 'change', 'p1', '--revision', '3', ...args);
    await change('--max', '5.00', '--sbp-on-card-page', 'off');
    await change('--fee', '0');
    const path = '/operator/payment-points/p1';
    expect(calls.map(({ call, body }) => [call, body])).toEqual([
      [`payments: GET ${path}`, undefined],
      [`payments: PUT ${path}`, { ...whole, revision: 3, maxAmount: '5.00', sbpOnCardPage: false }],
      [`payments: GET ${path}`, undefined],
      [`payments: PUT ${path}`, { ...whole, revision: 3, feeBasisPoints: 0 }],
    ]);
    await expect(change()).rejects.toThrow('nothing to change');
    expect(calls.filter(({ call }) => call.includes('PUT'))).toHaveLength(2);
  });

  it('a list is a table of its first members for people, and whole with --json', async () => {
    const item = { id: 'x-1', status: 'OPEN', note: null, bank: { amount: '1.00' }, count: 2 };
    reply = { status: 200, body: { items: [item, { ...item, id: 'x-22', note: 'seen' }], nextPageToken: 't1' } };
    await pay('operator', '--as', 'anna', 'exceptions', 'list');
    expect(printed().split('\n')).toEqual([
      'id    status  note  count',
      'x-1   OPEN          2',
      'x-22  OPEN    seen  2',
      'more: --page-token t1',
    ]);
    jest.mocked(console.log).mockClear();
    await pay('--json', 'operator', '--as', 'anna', 'exceptions', 'list');
    expect(JSON.parse(printed())).toEqual(reply.body);
  });

  it('a record is name-value lines for people, and a list without items says so', async () => {
    reply = { status: 200, body: { id: 'x-1', amount: '1.00', history: [] } };
    await pay('operator', '--as', 'anna', 'withdrawals', 'get', 'x-1');
    expect(printed().split('\n')).toEqual(['id      x-1', 'amount  1.00', 'no history']);
  });

  it('a refusal is an error that names what to correct', async () => {
    const details = [{ field: 'to', message: 'must be after from' }];
    reply = { status: 400, body: { error: 'the request is not valid', code: 'VALIDATION_FAILED', details } };
    await expect(pay('operator', 'replays', 'start', ...RANGE)).rejects.toThrow('to: must be after from');
  });

  it('the range and the partner of a replay are asked for before anything is sent', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(pay('operator', 'replays', 'start', '--partner', 'p1')).rejects.toMatchObject({ exitCode: 1 });
    expect(calls).toEqual([]);
  });
});

describe('who does it', () => {
  it('signs in once and keeps the session for the next commands, for its owner only', async () => {
    await pay('operator', '--as', 'olga@example.com', 'alerts', 'list');
    signIns = 0;
    await pay('operator', '--as', 'olga', 'alerts', 'list');
    expect([signIns, calls.map(({ as }) => as)]).toEqual([0, ['olga@example.com', 'olga@example.com']]);
    const file = join(profile.folder, 'operator-session-olga@example.com.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('signs in again where the session has ended', async () => {
    await pay('operator', '--as', 'olga', 'alerts', 'list');
    [sessions, signIns] = [new Map<string, string>(), 0];
    await pay('operator', '--as', 'olga', 'alerts', 'list');
    expect(signIns).toBe(1);
  });

  it('is nobody whom the console does not know, and nobody by name alone (S4)', async () => {
    await expect(pay('operator', '--as', 'ghost-1', 'alerts', 'list')).rejects.toThrow('PAY_OPERATOR_PASSWORD');
    process.env['PAY_OPERATOR_PASSWORD'] = 'guessed';
    try {
      await expect(pay('operator', '--as', 'ghost-1', 'alerts', 'list')).rejects.toThrow('knows no ghost-1');
    } finally {
      delete process.env['PAY_OPERATOR_PASSWORD'];
    }
    expect(calls).toEqual([]);
  });

  it('is the demo’s administrator where nobody is named', async () => {
    await pay('operator', 'alerts', 'list');
    expect(calls).toMatchObject([{ as: 'anna@example.com' }]);
  });
});

it('exit status 2 and one line where the profile names no console', async () => {
  const lonely = writeProfile({ baseUrl: 'http://127.0.0.1:9', partnerID: 'partner-a', publicKey: keys.publicKey }, keys.privateKeyPem);
  const { exitCode, stderr } = await runHere(['--profile', lonely.file, 'operator', 'alerts', 'list']);
  lonely.remove();
  expect([exitCode, stderr]).toEqual([2, 'the profile names no console: --console URL\n']);
});
