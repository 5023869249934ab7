import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { isRecord } from '@pay/sdk/errors.ts';
import { contextOf } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import type { Profile } from '../profile.ts';

/** A session at the console. */
export type OperatorSession = { readonly consoleUrl: string; readonly cookie: string };

type Options = { readonly as?: string; readonly console?: string; readonly code?: string };

const TIMEOUT_MS = 15_000;

/**
 * The session of the person that `--as` names: one that an earlier command stored beside the profile, or a new one. The
 * password is the demo's, or PAY_OPERATOR_PASSWORD; a second factor is passed with `--code`.
 * @throws CliFault if signing in fails: unknown login, wrong password, no code
 */
export async function operatorSession(command: Command, { isNew = false } = {}): Promise<OperatorSession> {
  const options: Options = command.optsWithGlobals();
  const profile = contextOf(command).profile();
  const consoleUrl = (options.console ?? process.env['PAY_CONSOLE_URL'] ?? profile.consoleUrl)?.replace(/\/+$/, '');
  if (consoleUrl === undefined) throw usage('the profile names no console: --console URL');
  const person = personOf(profile, options.as);
  const file = join(dirname(profile.file), `operator-session-${person.login.replace(/[^a-z0-9.@-]/gi, '_')}.json`);
  const kept = isNew ? undefined : readKept(file, consoleUrl);
  if (kept !== undefined) return kept;
  const session = { consoleUrl, cookie: await signIn(consoleUrl, person, options.code) };
  writeFileSync(file, JSON.stringify(session), { mode: 0o600 });
  return session;
}

type Person = { readonly login: string; readonly password: string };

/** Found by login, or by the part before the at sign; the demo's administrator if nobody is named. */
function personOf(profile: Profile, as: string | undefined): Person {
  const known = profile.operators.find(({ login, role }) =>
    as === undefined ? role === 'admin' : login === as || login.startsWith(`${as}@`),
  );
  const password = process.env['PAY_OPERATOR_PASSWORD'] ?? known?.password;
  const login = known?.login ?? as;
  if (login === undefined) throw usage('who does it? --as LOGIN');
  if (password === undefined) throw usage(`the profile has no password of ${login}: set PAY_OPERATOR_PASSWORD for this command`);
  return { login, password };
}

function readKept(file: string, consoleUrl: string): OperatorSession | undefined {
  if (!existsSync(file)) return undefined;
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(kept) || kept['consoleUrl'] !== consoleUrl || typeof kept['cookie'] !== 'string') return undefined;
  return { consoleUrl, cookie: kept['cookie'] };
}

async function signIn(consoleUrl: string, { login, password }: Person, code: string | undefined): Promise<string> {
  const first = await post(consoleUrl, 'sign-in/email', { email: login, password }, '');
  if (first.status === 401) throw new CliFault(EXIT.refused, `the console knows no ${login} with this password`);
  const answer: unknown = await first.json().catch(() => undefined);
  if (!first.ok) throw new CliFault(EXIT.refused, `the console refused to sign in ${login}: ${messageOf(answer, first)}`);
  if (!isRecord(answer) || answer['twoFactorRedirect'] !== true) return cookiesOf(first);
  if (code === undefined) throw usage(`${login} has a second factor: pass --code DIGITS`);
  const second = await post(consoleUrl, 'two-factor/verify-totp', { code }, cookiesOf(first));
  if (!second.ok) throw new CliFault(EXIT.refused, 'the second-factor code is wrong or expired');
  return cookiesOf(second);
}

function post(consoleUrl: string, path: string, body: object, cookie: string): Promise<Response> {
  return fetch(`${consoleUrl}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(consoleUrl).origin, Cookie: cookie },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CliFault(EXIT.unreachable, `the console does not respond at ${consoleUrl}: ${String(error)}`);
  });
}

function messageOf(answer: unknown, { status }: Response): string {
  const said = isRecord(answer) ? (answer['message'] ?? answer['error']) : undefined;
  return typeof said === 'string' ? said : `HTTP ${String(status)}`;
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
