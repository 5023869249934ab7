import { said, t } from './text.ts';
import type { Page } from './types.ts';
/** A refusal by the console's API. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  readonly status: number;
  readonly code: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  /** The whole body: for a 409, `current` has the newer state. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(textOf(body['error'] ?? body['message']) ?? t('The server answered {status}', { status: String(status) }));
    this.status = status;
    this.code = textOf(body['code']) ?? '';
    this.details = Array.isArray(body['details']) ? body['details'].filter(isDetail) : [];
    this.body = body;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function isDetail(value: unknown): value is { field: string; message: string } {
  return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}

/** An operator is told that a service is slow before they begin to wonder. */
const SLOW_MS = 1_500;
/** For each service, how many calls have waited that long. */
const slow = new Map<string, number>();
const watchers = new Set<() => void>();

/** The names of the services that a call has been waiting for, in words; empty if there is none. */
export const slowServices = (): string => [...slow.keys()].toSorted().join(t(' and '));

/** Calls `onChange` whenever `slowServices` changes, until the returned function is called. */
export function watchSlowServices(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => {
    watchers.delete(onChange);
  };
}

function countSlow(service: string, change: 1 | -1): void {
  const count = (slow.get(service) ?? 0) + change;
  if (count === 0) slow.delete(service);
  else slow.set(service, count);
  for (const onChange of watchers) onChange();
}

/** What the document calls the program that serves it: the console, or the partner portal. */
const PROGRAM = document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? 'the server';

/** Who answers a path, in words. */
function serviceOf(path: string): string {
  const name = /^\/api\/(gateway|payments|bindings|withdrawals|notifier)\//.exec(path)?.[1];
  return name === undefined ? said(PROGRAM) : t('the {name} service', { name });
}

/** Counts a call as slow from `SLOW_MS` on. Returns what to call when it is answered. */
function timed(path: string): () => void {
  const service = serviceOf(path);
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    countSlow(service, 1);
  }, SLOW_MS);
  return () => {
    clearTimeout(timer);
    if (isSlow) countSlow(service, -1);
  };
}

/** The partner that the portal's page shows; undefined where no partner is signed in, and in the console. */
let shownPartner: string | undefined;

/** From now on calls say that the page shows this partner, so that they are refused if the session is another one's. */
export function showPartner(partnerID: string | undefined): void {
  shownPartner = partnerID;
}

/** Asks the person to sign in again, and returns whether they did. Undefined in the console, which is never asked to. */
let signInAgain: (() => Promise<boolean>) | undefined;

/** From now on a call that is refused because the sign-in is too old asks for another one, and is then sent again. */
export function onSignInTooOld(ask: (() => Promise<boolean>) | undefined): void {
  signInAgain = ask;
}

const isSignInTooOld = (error: unknown): boolean =>
  error instanceof ApiFault && error.status === 403 && error.details.some(({ field }) => field === 'session');

type Sent = readonly [method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, idempotencyKey?: string];

/** The JSON of a response. @throws ApiFault for every refusal, and if there is no response */
export async function call<T>(...sent: Sent): Promise<T> {
  try {
    return await timedAnswerOf<T>(sent);
  } catch (error) {
    // Refused before anything was done: the same call, with its key, is made once more.
    if (!isSignInTooOld(error) || (await signInAgain?.()) !== true) throw error;
    return timedAnswerOf<T>(sent);
  }
}

/** Only what the server takes is counted as slow, not what a person takes to sign in. */
async function timedAnswerOf<T>([method, path, body, idempotencyKey]: Sent): Promise<T> {
  const answered = timed(path);
  try {
    return await answerOf<T>(method, path, body, idempotencyKey);
  } finally {
    answered();
  }
}

async function answerOf<T>(method: 'GET' | 'POST' | 'PUT', path: string, body: unknown, idempotencyKey: string | undefined): Promise<T> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(shownPartner === undefined ? {} : { 'X-Portal-Partner': shownPartner }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiFault(0, {
      error: t('{program} can’t be reached. The action may or may not have been carried out: check before repeating it.', {
        program: said(PROGRAM),
      }),
    });
  });
  const text = await response.text();
  const value: unknown = parse(text);
  if (!response.ok) throw new ApiFault(response.status, isRecord(value) ? value : {});
  return value as T;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Failed to answer, rather than refused. */
export const isUnavailable = (error: Error | null): boolean => error instanceof ApiFault && (error.status === 0 || error.status === 503);

/** @throws ApiFault as `call`; if the service is unavailable, it says that reading is repeated (query-client.ts) */
export async function read<T>(path: string): Promise<T> {
  try {
    return await call<T>('GET', path);
  } catch (error) {
    if (!(error instanceof ApiFault) || !isUnavailable(error)) throw error;
    const text = t('{service} isn’t responding. Retrying…', { service: sentenceStart(serviceOf(path)) });
    throw new ApiFault(error.status, { ...error.body, error: text });
  }
}

const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>('POST', path, body);

/** `?name=value&…` of the given values; empty ones are left out. */
export function queryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** All rows of a paged list, for a bulk action that shows their number first. @throws ApiFault as `read` */
export async function readAll<T>(path: string, filter: Readonly<Record<string, string | undefined>>): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let pageToken: string | null | undefined; pageToken !== null;) {
    const page: Page<T> = await read(`${path}${queryOf({ ...filter, limit: '100', pageToken })}`);
    rows.push(...page.items);
    pageToken = page.nextPageToken;
  }
  return rows;
}
