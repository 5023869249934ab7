import { randomUUID } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createProgram } from '../packages/cli/src/whole-program.ts';
import { OPERATIONS } from '../packages/contract/src/api/operations.ts';
import { OPERATOR_OPERATIONS } from '../packages/contract/src/operator/operations.ts';
import { FORBIDDEN_CONTENT } from '../packages/shared/src/content/typed-text.ts';
import { requestWith, typedTextsOf } from '../packages/contract/test/typed-texts.ts';
import { FORWARDED, OWN } from '../services/console/src/http/routes.ts';
import { columnsWith } from '../tools/testing/columns-with.ts';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { runHere } from '../packages/cli/test/run-cli.ts';
import { openBrowser, visit } from './browser.ts';
import { givenRequest, operator, signIn } from './console.ts';
import { tapBroker, waitingMessages, type Tap } from './queues.ts';
import { givenBinding } from './saved-card.ts';
import { typeEverywhere, type Typed } from './typed-fields.ts';
import { CARDS, openWorld, type World } from './world.ts';

/** One of each kind, used by no other test. */
const FORBIDDEN = {
  'a card number': 'card 5555 5555 5555 4444',
  'a card’s code': 'the cvv is 846',
  'a seed phrase': 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'a wallet address': 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  'a key': '7c4a8d09ca3762af61e59520943dc26494f8941b4b1d3b7a2f6f1c8e9d0a5b3e',
} as const;
const KINDS = Object.entries(FORBIDDEN);
/**
 * One kind in turn, where texts are only passed on: the APIs refuse each text in all kinds. A transfer's hash looks like a
 * key but is not one.
 */
const inTurn = (nth: number, isTransfer: boolean) =>
  KINDS.filter(([kind]) => !isTransfer || kind !== 'a key').filter((_, index, { length }) => index === nth % length);
/** How many tabs of one person type: each waits for answers for most of its time. */
const TABS = 3;

/** A text of a request, and where a request with it is sent. */
type Entry = {
  readonly api: 'console' | 'API';
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  /** Where the text is in the body; undefined where it is a part of another field. */
  readonly field?: string;
  readonly body: (text: string) => unknown;
};

type Operation = Pick<(typeof OPERATIONS)[number], 'method' | 'path' | 'request'>;

/** One entry for each text of a request. What the path names need not exist: the request is refused before anybody looks. */
function entriesOf(api: Entry['api'], prefix: string, { method, path, request }: Operation): readonly Entry[] {
  if (request === undefined || method === 'get') return [];
  const target = prefix + path.replaceAll(/\{\w+\}/g, () => randomUUID());
  return typedTextsOf(request).map((at) => ({
    api,
    method: method === 'post' ? 'POST' : 'PUT',
    path: target,
    field: at.join('.'),
    body: (text) => requestWith(at, text),
  }));
}

type Command = ReturnType<typeof createProgram>;

/** Every leaf command, with its full name. */
function leavesOf(command: Command, path: readonly string[] = []): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((sub) => leavesOf(sub, [...path, sub.name()]));
}

/**
 * A partner's and a person's own numbers, which are not checked (typed-text.ts), and what is not sent: files,
 * passwords.
 */
const NOT_JUDGED = /^--(?:order|customer|refund|idempotency-key|as|code|console|page-token|png|public-key)$/;

/**
 * Each argument and option of a command, with a function that builds the command line with a text there and fillers
 * elsewhere.
 */
function placesOf(command: Command): [place: string, argumentsWith: (text: string) => string[]][] {
  const args = command.registeredArguments.map((argument) => argument.name());
  const options = command.options.filter((option) => option.required && !NOT_JUDGED.test(option.long ?? ''));
  const line = (place: string, text: string) => [
    ...options.flatMap(({ long, mandatory, argChoices }) =>
      long === place ? [long, text] : mandatory && long !== undefined ? [long, argChoices?.[0] ?? fillerOf(long)] : [],
    ),
    '--',
    ...command.registeredArguments.map((argument) =>
      argument.name() === place ? text : (argument.argChoices?.[0] ?? fillerOf(argument.name())),
    ),
  ];
  return [...args, ...options.map(({ long }) => long ?? '')].map((place) => [place, (text) => line(place, text)]);
}

function fillerOf(name: string): string {
  if (/amount|rub|rate|usdt/i.test(name)) return '1.00';
  if (/seen|revision|limit|minutes|fee/i.test(name)) return '1';
  if (/from|to$|date|at$/i.test(name)) return '2026-01-01';
  return randomUUID();
}

describe('what must never be typed (S7)', () => {
  let world: World;
  let tap: Tap;
  let cookie = '';
  let profile = '';
  const administrator = () => {
    const found = world.system.state().operators.find(({ role }) => role === 'admin');
    if (found === undefined) throw new Error('the demo has no administrator');
    return found;
  };
  const toConsole = (path: string, body: unknown, method = 'POST') => {
    const { consoleUrl } = world.system.addresses;
    const headers = { 'content-type': 'application/json', origin: new URL(consoleUrl).origin, cookie };
    return fetch(`${consoleUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  };

  beforeAll(async () => {
    world = await openWorld();
    tap = await tapBroker(world);
    profile = join(world.system.folder, 'demo.json');
    const { login, password } = administrator();
    const answer = await toConsole('/api/auth/sign-in/email', { email: login, password });
    cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    if (answer.status !== 200) throw new Error(`not signed in: ${String(answer.status)}`);
  });
  afterAll(async () => {
    // Typed as a password, they have locked the administrator's account, which the next file signs in with.
    await world.query('delete from console.sign_in_failures');
    await tap.close();
    await world.close();
  });

  /** Every text of every request in the contract, and two that are not in it. */
  const entries = (): readonly Entry[] => {
    const { partnerID, publicKey } = world.partner;
    return [
      ...OPERATIONS.flatMap((operation) => entriesOf('API', '', operation)),
      ...Object.entries(OPERATOR_OPERATIONS).flatMap(([service, operations]) =>
        operations.flatMap((operation: Operation) => entriesOf('console', `/api/${service}`, operation)),
      ),
      {
        api: 'console',
        method: 'POST',
        path: `/api/gateway/partners/${partnerID}/keys`,
        body: (text) => ({ publicKey: `${publicKey} ${text}` }),
      },
      {
        api: 'console',
        method: 'POST',
        path: '/api/operators',
        body: (text) => ({ login: `${randomUUID()}@example.com`, name: text, role: 'support', signIn: 'password' }),
      },
    ];
  };

  async function type({ api, method, path, body }: Entry, text: string): Promise<{ status: number; text: string }> {
    if (api === 'console') {
      const answer = await toConsole(path, body(text), method);
      return { status: answer.status, text: await answer.text() };
    }
    const sent = Buffer.from(JSON.stringify(body(text)));
    const request = { method, target: path, body: sent, idempotencyKey: randomUUID() } as const;
    const refusal: unknown = await world.client.request(request).catch((error: unknown) => error);
    if (!(refusal instanceof ApiError)) throw new Error(`${path} took it`);
    return { status: refusal.status, text: `${refusal.message} ${JSON.stringify(refusal.details)}` };
  }

  it('is refused in every text that people type, and never repeated (S7)', async () => {
    for (const entry of entries()) {
      for (const [kind, text] of KINDS) {
        const answer = await type(entry, text);
        const { path, field } = entry;
        const said = { status: answer.status, repeats: answer.text.includes(text), why: answer.text.includes(FORBIDDEN_CONTENT) };
        expect({ path, field, kind, ...said }).toEqual({ path, field, kind, status: 400, repeats: false, why: true });
      }
    }
  });

  it('is told apart by nothing that people type into but the search: one kind in turn is enough there (S7)', () => {
    const root = join(import.meta.dirname, '..');
    const sources = globSync(['packages/cli/src/**/*.ts', 'services/console/src/web/**/*.{ts,tsx}'], { cwd: root });
    const judges = /content\/(?:card-data|card-number|forbidden-content|typed-text)\.ts'/;
    const judging = sources.filter((path) => judges.test(readFileSync(join(root, path), 'utf8')));
    expect(judging.sort()).toEqual(['pages/search.tsx', 'parts/search-box.tsx'].map((path) => `services/console/src/web/${path}`));
  });

  it('is refused on the command line, in every argument and option of every command that speaks to us (S7)', async () => {
    const spoken = leavesOf(createProgram()).filter(
      ({ path }) => /^(?:card|qr|refund|bindings|recurring|operator) /.test(path) && !path.endsWith(' pay'),
    );
    expect(spoken.length).toBeGreaterThan(70);
    const taken: string[] = [];
    const typed: string[] = [];
    const isChecked = (place: string) => /reason|note|name|label|description|reference|evidence/.test(place);
    const tryAt = async (path: string, place: string, argumentsWith: (text: string) => string[]) => {
      const isTransfer = path === 'operator withdrawals complete' && place === '--reference';
      for (const [kind, text] of inTurn(typed.length, isTransfer)) {
        const isTaken = await isDone(['--profile', profile, ...path.split(' '), ...argumentsWith(text)]);
        if (isTaken && isChecked(place)) taken.push(`${path}: ${kind} as ${place}`);
        typed.push(place);
      }
    };
    const silenced = silence();
    try {
      for (const { path, command } of spoken)
        for (const [place, argumentsWith] of placesOf(command)) await tryAt(path, place, argumentsWith);
    } finally {
      for (const spy of silenced) spy.mockRestore();
    }
    expect(taken).toEqual([]);
    // What people type on the command line: each of these was tried.
    expect(typed).toEqual(expect.arrayContaining(['--reason', '--note', '--name', '--description', '--reference', 'name', 'label']));
  });

  const silence = () => [
    ...[jest.spyOn(console, 'log'), jest.spyOn(console, 'error')].map((spy) => spy.mockReturnValue(undefined)),
    ...[jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')].map((spy) => spy.mockReturnValue(true)),
  ];

  /** Runs one command line in this process; true if it succeeded. */
  const isDone = (args: readonly string[]): Promise<boolean> =>
    createProgram()
      .parseAsync(['node', 'pay', ...args])
      .then(
        () => true,
        () => false,
      );

  /** A refundable payment, requests in every state with fields, and an exception: what pages show fields for. */
  async function givenThings(): Promise<string[]> {
    const payment = await world.create();
    await world.pay(payment, CARDS.approved);
    await world.ended(payment.id);
    await world.query(
      `insert into payments.exceptions (kind, payment_id, operation_id, reason) values ('RETURN_FAILED', $1::uuid, $1::uuid::text, 'a test')`,
      [payment.id],
    );
    await world.query(
      `insert into payments.card_attempts (attempt_id, payment_id, payment_point_id, address_hash, bin_hash, held_back_by)
       select gen_random_uuid(), $1::uuid, 'a-point', 'a', 'b', held from (values (null), ('point')) as kinds (held)`,
      [payment.id],
    );
    const [asked, taken, approved] = [await givenRequest(world, '1'), await givenRequest(world, '1'), await givenRequest(world, '1')];
    const act = async (who: string, id: string, what: string, revision: number) => {
      const args = ['operator', 'withdrawals', what, id, '--revision', String(revision), '--as', who];
      expect((await runHere(['--profile', profile, ...args])).exitCode).toBe(0);
    };
    await act('anna', taken, 'take', 1);
    await act('olga', approved, 'take', 1);
    await act('olga', approved, 'approve', 2);
    const { bindingId } = await givenBinding(world, 'P1M');
    return [`/payments/${payment.id}`, `/saved-cards/${bindingId}`, ...[asked, taken, approved].map((id) => `/withdrawals/${id}`)];
  }

  /** The route in the routing table for a path of the console's API. */
  function routeOf(path: string): string {
    const routes = [...FORWARDED.map((route) => `/api/${route.service}${route.path}`), ...Object.values(OWN).map((route) => route.path)];
    return routes.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)) ?? path;
  }

  it('typed in a browser into each field of each page of the console, it is never taken (S7)', async () => {
    const browser = await openBrowser();
    try {
      const things = await givenThings();
      const { page, context } = await signIn(world, browser, operator(world, 'anna'), { path: '/overview' });
      const tabs = [page];
      while (tabs.length < TABS) {
        const tab = await context.newPage();
        await tab.goto(page.url());
        tabs.push(tab);
      }
      // The search tells them apart itself.
      const textsFor = (at: string, field: string, nth: number) =>
        at === '/search' ? KINDS : inTurn(nth, field.endsWith('Transfer reference'));
      const start = ['/overview', '/account', '/search', '/reconciliations/sandbox-bank/2026-01-01', ...things];
      const routes = new Set(entries().flatMap(({ api: of, path }) => (of === 'console' ? [routeOf(path)] : [])));
      const desk = await typeEverywhere(tabs, start, { all: Object.values(FORBIDDEN), textsFor });
      const stranger = await (await visit(browser, { screen: 'desk', language: 'en', javaScript: true })).newPage();
      await stranger.goto(`${world.system.addresses.consoleUrl}/sign-in`);
      const signInPage = await typeEverywhere([stranger], ['/sign-in'], { all: Object.values(FORBIDDEN), textsFor });

      const typed: Typed[] = [...desk.typed, ...signInPage.typed];
      const sent = typed.flatMap(({ sent: all, ...at }) => all.map((one) => ({ ...at, ...one })));
      expect(sent.filter(({ status }) => status >= 500)).toEqual([]);
      const changes = sent.filter(({ method }) => method !== 'GET');
      expect(changes.filter(({ status }) => status < 400)).toEqual([]);

      // Every page, and every text that the APIs accept from operators.
      const routed = readFileSync(join(import.meta.dirname, '../services/console/src/web/pages.tsx'), 'utf8').matchAll(
        /<Route path="([^"]+)"/g,
      );
      const pages = [...routed].map(([, path = '']) => path.replaceAll(/:\w+/g, ':id'));
      expect(pages.length).toBeGreaterThan(20);
      const visited = new Set(['/', ...desk.pages, ...signInPage.pages]);
      expect(pages.filter((path) => !visited.has(path))).toEqual([]);
      const reached = new Set(changes.map(({ path }) => routeOf(path)));
      expect([...routes].filter((route) => !reached.has(route))).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('is in no table, among them audit logs and the facts that were published, in no message and in no log (S7)', async () => {
    const found: string[] = [];
    const secrets = Object.values(FORBIDDEN);
    const kindOf = (secret: string) => KINDS.find(([, text]) => text === secret)?.[0] ?? secret;
    const tables = await columnsWith((text, values) => world.query(text, values), secrets);
    for (const [secret, columns] of Object.entries(tables)) found.push(...columns.map((column) => `${kindOf(secret)} in ${column}`));
    const leaks = (text: string) => KINDS.filter(([, secret]) => text.includes(secret)).map(([kind]) => kind);
    // Something done here produced messages, so the tap is known to work.
    expect(tap.messages.some((message) => message.startsWith('notifier.payment.completed '))).toBe(true);
    for (const message of [...tap.messages, ...(await waitingMessages(world))])
      found.push(...leaks(message).map((kind) => `${kind} in ${message.split(' ')[0] ?? ''}`));
    for (const log of readdirSync(world.system.logs))
      found.push(...leaks(readFileSync(join(world.system.logs, log), 'utf8')).map((kind) => `${kind} in ${log}`));
    expect(found).toEqual([]);
  });
});
