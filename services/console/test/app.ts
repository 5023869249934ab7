import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashPassword } from 'better-auth/crypto';
import pg from 'pg';
import type { Db } from '@pay/shared/postgres/db.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { listen } from '@pay/shared/http/server.ts';
import { operatorIdentitySigner, operatorIdentityVerifier, type Operator } from '@pay/shared/operators/operator-identity.ts';
import { renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { createTestDatabase } from '../../../tools/testing/database.ts';
import type { Bundle } from '../src/bundle/bundle.ts';
import type { Deps } from '../src/deps.ts';
import { ROLES, type Role } from '@pay/shared/operators/roles.ts';
import { createConsoleApp } from '../src/http/app.ts';
import { createAuth } from '../src/sign-in/auth.ts';
import type { AuthSecrets } from '../src/sign-in/secrets.ts';
import { operatorApi, OPERATED_SERVICES, type OperatedService } from '../src/operator-apis/operator-api.ts';
import { seedOperators } from '../src/use-cases/seed-operators.ts';

/** What a service's operator API received. */
export type Received = {
  readonly service: OperatedService;
  readonly method: string;
  readonly path: string;
  readonly login: string | undefined;
  /** Undefined if the identity is not valid for this request. */
  readonly operator: Operator | undefined;
  readonly requestId: string | undefined;
  readonly body: string;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

type Call = {
  readonly cookie?: string;
  readonly body?: unknown;
  readonly raw?: string;
  /** The console's own by default; null sends none. */
  readonly origin?: string | null;
};

type OperatorApiAnswer = { readonly status: number; readonly text: string };

export type TestConsole = {
  readonly url: string;
  readonly password: string;
  readonly databaseUrl: string;
  readonly db: Db;
  /** The initial secret. */
  readonly authSecret: string;
  /** The same console with other secrets; its `url` changes. */
  restartWith(authSecrets: AuthSecrets): Promise<void>;
  readonly received: Received[];
  /** What the operator APIs answer; 200 with `{}` by default. A promise that does not settle is a service that hangs. */
  answer: (received: Received) => OperatorApiAnswer | Promise<OperatorApiAnswer>;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  signIn(login: string, password?: string): Promise<Answer>;
  /** A session cookie of an operator with this role. */
  cookieOf(role: Role): Promise<string>;
  /** A session cookie of the second administrator, `SECOND_ADMIN`. */
  secondAdmin(): Promise<string>;
  /** Creates an operator, proposed by one administrator and confirmed by the second; returns the first password. */
  makeOperator(login: string, role?: Role): Promise<string>;
  /** Runs statements as the service's own role. */
  rows(text: string, values?: unknown[]): Promise<Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const PASSWORD = 'correct horse battery';
let hash: Promise<string> | undefined;
/** Everybody's password is the same, and its hash takes a tenth of a second. */
const hashOnce = () => (hash ??= hashPassword(PASSWORD));
/** Confirms what admin@example.com proposes. */
export const SECOND_ADMIN = 'boris@example.com';
const emailOf = (role: Role) => `${role}@example.com`;
export const cookiesOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

export type TestOptions = {
  readonly secondFactor?: 'required' | 'optional';
  readonly company?: Parameters<typeof createAuth>[0]['company'];
  /** With the real pages, at `localhost` and this port, where browsers support passkeys. */
  readonly pages?: { readonly bundle: Bundle; readonly port: number };
  /** A public API that the reference's page may send to. */
  readonly tryItUrl?: string;
};

/**
 * The console in this process on its own database; the operator APIs are real servers that answer what a test wants.
 */
export async function startTestConsole(options: TestOptions = {}): Promise<TestConsole> {
  const testDatabase = await createTestDatabase('console');
  const log = createLog('console', 'silent');
  const database = openDatabase({
    url: testDatabase.url,
    applicationName: 'console-test',
    onIdleError: () => undefined,
  });
  const side = new pg.Pool({ connectionString: testDatabase.ownerUrl, max: 1 });
  const { company, pages } = options;
  const publicUrl = pages === undefined ? 'http://console.test' : `http://localhost:${String(pages.port)}`;
  const authSecret = randomBytes(32).toString('base64');
  const received: Received[] = [];
  const servers = await Promise.all(OPERATED_SERVICES.map((service) => startOperatorApi(service, received, (one) => t.answer(one))));
  const api = (service: OperatedService) => servers[OPERATED_SERVICES.indexOf(service)]?.api ?? unknown(service);
  const depsWith = (authSecrets: AuthSecrets): Deps => ({
    db: database.db,
    log,
    auth: createAuth({
      database,
      log,
      publicUrl,
      secrets: authSecrets,
      ...(company === undefined ? {} : { company }),
    }),
    authSecrets,
    operatorApis: {
      gateway: api('gateway'),
      payments: api('payments'),
      bindings: api('bindings'),
      withdrawals: api('withdrawals'),
      notifier: api('notifier'),
    },
    publicUrl,
    tryItUrl: options.tryItUrl,
    proxies: trustedProxies.parse('none'),
    secondFactor: options.secondFactor ?? 'optional',
    hasCompanySignIn: company !== undefined,
  });
  const bundle = pages?.bundle ?? {
    assets: new Map(),
    script: '/assets/x.js',
    style: '/assets/x.css',
    pages: {},
    russian: [],
  };
  const start = (authSecrets: AuthSecrets, port: number) => listen(createConsoleApp(depsWith(authSecrets), bundle), HOST, port);
  let listener = await start({ current: authSecret, previous: undefined }, pages?.port ?? 0);
  const person = (login: string, role: Role) => ({ login, name: role, role, password: PASSWORD });
  const people = ROLES.map((role) => person(emailOf(role), role));
  await seedOperators(database.db, [...people, person(SECOND_ADMIN, 'admin')], hashOnce);
  const cookies = new Map<string, string>();
  const cookieFor = async (login: string) => {
    const known = cookies.get(login);
    if (known !== undefined) return known;
    const answer = await t.signIn(login);
    if (answer.status !== 200) throw new Error(`not signed in: ${answer.text}`);
    cookies.set(login, cookiesOf(answer));
    return cookiesOf(answer);
  };

  const t: TestConsole = {
    get url() {
      return `http://${HOST}:${String(listener.port)}`;
    },
    password: PASSWORD,
    databaseUrl: testDatabase.url,
    db: database.db,
    authSecret,
    async restartWith(authSecrets) {
      await listener.drain(0);
      listener = await start(authSecrets, 0);
    },
    received,
    answer: () => ({ status: 200, text: '{}' }),
    async call(method, path, { cookie, body, raw, origin = publicUrl } = {}) {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await fetch(`${t.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(origin === null ? {} : { origin }),
          ...(cookie === undefined ? {} : { cookie }),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(sent === undefined ? {} : { body: sent }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: parse(text) };
    },
    signIn: (login, password = PASSWORD) => t.call('POST', '/api/auth/sign-in/email', { body: { email: login, password } }),
    cookieOf: (role) => cookieFor(emailOf(role)),
    secondAdmin: () => cookieFor(SECOND_ADMIN),
    async makeOperator(login, role = 'support') {
      const body = { login, name: 'New Person', role, signIn: 'password' };
      const proposed = await t.call('POST', '/api/operators', { cookie: await t.cookieOf('admin'), body });
      const path = `/api/account-changes/${String(proposed.body['id'])}/confirm`;
      const confirmed = await t.call('POST', path, { cookie: await t.secondAdmin() });
      if (confirmed.status !== 200) throw new Error(`not made: ${proposed.text} ${confirmed.text}`);
      return String(confirmed.body['password']);
    },
    rows: async (text, values = []) => (await side.query<Record<string, unknown>>(text, values)).rows,
    async close() {
      await listener.drain(0);
      for (const { close } of servers) await close();
      await side.end();
      await database.close();
      await testDatabase.drop();
    },
  };
  return t;
}

function unknown(service: OperatedService): never {
  throw new Error(`${service} was not started`);
}

async function startOperatorApi(
  service: OperatedService,
  received: Received[],
  answer: (one: Received) => OperatorApiAnswer | Promise<OperatorApiAnswer>,
) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const verify = operatorIdentityVerifier(`${service}-operator`, [renderOpenSshKey(publicKey)]);
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [method, target] = [request.method ?? '', request.url ?? ''];
    const bodySha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
    const operator = verify(String(request.headers['x-operator-identity']), { method, target, bodySha256 })?.operator;
    const one: Received = {
      service,
      method,
      path: target.replace(/^\/operator/, ''),
      login: operator?.login,
      operator,
      requestId: request.headersDistinct['x-request-id']?.[0],
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(one);
    const { status, text } = one.login === undefined ? { status: 401, text: '{}' } : await answer(one);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { api: operatorApi(service, `http://${HOST}:${String(port)}`, operatorIdentitySigner(privateKey)), close };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
