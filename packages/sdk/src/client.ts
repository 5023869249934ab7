import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { bindingCalls, type BindingCalls } from './binding-calls.ts';
import { eventCalls, type EventCalls } from './event-calls.ts';
import { qrCalls, type QrCalls } from './qr-calls.ts';
import { registerCalls, type RegisterCalls } from './register-calls.ts';
import { refundCalls, type RefundCalls } from './refund-calls.ts';
import { withdrawalCalls, type WithdrawalCalls } from './withdrawal-calls.ts';
import { ApiError, isRecord, NoAnswerError } from './errors.ts';
import { readRetryAfter } from '@pay/signing/retry-after.ts';
import { connectTo, readOrigin, type Connection, type RawAnswer } from './http.ts';
import { freshMoment, readIdentity, signRequest, type Identity } from './sign.ts';
import { answered, queryOf, readJson, withAmountToken } from './wire.ts';
import type {
  CallbackSecret,
  CardListOptions,
  CardPayment,
  CreatedCardPayment,
  Endpoints,
  IssueCallbackSecret,
  ListPage,
  NewCardPayment,
  NewEndpoints,
  PaymentPoint,
} from './types.ts';

export type ClientOptions = {
  /** The origin of the API, such as `https://api.example`. */
  readonly baseUrl: string;
  readonly partnerID: string;
  /** The OpenSSH line, as registered. */
  readonly publicKey: string;
  /** PKCS#8 PEM, or OpenSSH's own format. Never leaves this process. */
  readonly privateKeyPem: string;
  /** Time limit of one whole attempt. Default 30 s; the service itself responds within a few seconds. */
  readonly timeoutMs?: number;
  /** Attempts per call, including the first. Default 4. */
  readonly attemptsMax?: number;
  /** Pause before the second attempt; it doubles each time, and half of it is random. Default 250 ms. */
  readonly backoffMs?: number;
  /** The longest Retry-After to wait for; a longer one is reported in the error. Default 30 s. */
  readonly retryAfterMaxMs?: number;
};

/** Options of every call. */
export type CallOptions = {
  /**
   * 16 to 128 visible ASCII characters. If omitted, a POST gets a new one. That is fine unless your process may restart
   * in the middle: then generate the key first, save it with the order, and pass it here.
   */
  readonly idempotencyKey?: string;
  /** Ends the call with a `NoAnswerError`, whose `cause` is the reason and whose `idempotencyKey` repeats it. */
  readonly signal?: AbortSignal;
};

export type RequestInput = CallOptions & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Path and query, escaped, exactly as sent. */
  readonly target: string;
  /** The exact bytes to send and sign, or a value that is serialised to JSON once for all attempts. */
  readonly body?: unknown;
};

/** A response of the service with a status below 300. */
export type Answer = {
  readonly status: number;
  readonly headers: RawAnswer['headers'];
  /** The JSON body, in which members `amount` are the text of the number. Undefined if it is a CSV file. */
  readonly json: unknown;
  readonly body: Buffer;
  readonly requestId: string | undefined;
  /** The service had already processed this request; the body shows the current state. */
  readonly replayed: boolean;
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
};

/**
 * The signed API of the service. Every method throws `ApiError` if the request is refused and `NoAnswerError` if no
 * readable response arrives.
 */
export type Client = BindingCalls &
  EventCalls &
  QrCalls &
  RegisterCalls &
  RefundCalls &
  WithdrawalCalls & {
    listPaymentPoints(options?: Pick<CallOptions, 'signal'>): Promise<readonly PaymentPoint[]>;
    readEndpoints(options?: Pick<CallOptions, 'signal'>): Promise<Endpoints>;
    saveEndpoints(endpoints: NewEndpoints, options?: Pick<CallOptions, 'signal'>): Promise<Endpoints>;
    /** Works once, after the addresses are saved. Pass true only if the response goes straight into secret storage. */
    issueCallbackSecret(consent: IssueCallbackSecret, options?: CallOptions): Promise<CallbackSecret>;
    createCardPayment(payment: NewCardPayment, options?: CallOptions): Promise<CreatedCardPayment>;
    readCardPayment(id: string, options?: Pick<CallOptions, 'signal'>): Promise<CardPayment>;
    /** Card payments and charges of saved cards, newest first. */
    listCardPayments(query?: CardListOptions, options?: Pick<CallOptions, 'signal'>): Promise<ListPage<CardPayment>>;
    /**
     * The payment or charge with this order number, or undefined. For callers that lost a response and its idempotency
     * key.
     */
    findCardPayment(orderID: string, options?: Pick<CallOptions, 'signal'>): Promise<CardPayment | undefined>;
    /**
     * Cancels an unpaid payment: its status becomes `CANCELLED`, and payment.failed is sent. If a card is being processed or
     * the payment has ended, throws an `ApiError` with the code CANCEL_NOT_ALLOWED.
     */
    cancelCardPayment(id: string, options?: CallOptions): Promise<CardPayment>;
    /** Any call, signed and retried like the others. */
    request(input: RequestInput): Promise<Answer>;
    /** Closes the kept-alive connections. */
    close(): void;
  };

/** @throws Error if `baseUrl` is not an origin, or the keys are not an Ed25519 pair. */
export function createClient(options: ClientOptions): Client {
  const origin = readOrigin(options.baseUrl);
  const context: Context = {
    identity: readIdentity(options),
    origin,
    connection: connectTo(origin),
    timeoutMs: options.timeoutMs ?? 30_000,
    attemptsMax: options.attemptsMax ?? 4,
    backoffMs: options.backoffMs ?? 250,
    retryAfterMaxMs: options.retryAfterMaxMs ?? 30_000,
  };
  const request = (input: RequestInput) => send(context, input);
  const get = async (target: string, given: Pick<CallOptions, 'signal'> = {}) => (await request({ ...given, method: 'GET', target })).json;
  const listCardPayments: Client['listCardPayments'] = async (query = {}, given) =>
    answered<ListPage<CardPayment>>(await get(`/api/card${queryOf(query)}`, given), 'items');
  return {
    async listPaymentPoints(given) {
      const body = await get('/api/integration/payment-points', given);
      return answered<{ items: readonly PaymentPoint[] }>(body, 'items').items;
    },
    async readEndpoints(given) {
      return answered<Endpoints>(await get('/api/integration/endpoints', given), 'callbackUrl');
    },
    async saveEndpoints(endpoints, given) {
      const target = '/api/integration/endpoints';
      const { json } = await request({ ...given, method: 'PUT', target, body: endpoints });
      return answered<Endpoints>(json, 'callbackUrl');
    },
    async issueCallbackSecret(consent, given) {
      const target = '/api/integration/callback-secret';
      const { json } = await request({ ...given, method: 'POST', target, body: consent });
      return answered<CallbackSecret>(json, 'secret');
    },
    async createCardPayment(payment, given) {
      const body = withAmountToken(payment);
      const { json } = await request({ ...given, method: 'POST', target: '/api/card', body });
      return answered<CreatedCardPayment>(json, 'id');
    },
    async readCardPayment(id, given) {
      return answered<CardPayment>(await get(`/api/card/${encodeURIComponent(id)}`, given), 'id');
    },
    listCardPayments,
    async findCardPayment(orderID, given) {
      return (await listCardPayments({ orderID }, given)).items[0];
    },
    async cancelCardPayment(id, given) {
      const target = `/api/card/${encodeURIComponent(id)}/cancel`;
      return answered<CardPayment>((await request({ ...given, method: 'POST', target })).json, 'id');
    },
    ...qrCalls(request),
    ...refundCalls(request),
    ...bindingCalls(request),
    ...eventCalls(request),
    ...registerCalls(request),
    ...withdrawalCalls(request),
    request,
    close: () => {
      context.connection.close();
    },
  };
}

type Context = {
  readonly identity: Identity;
  readonly origin: URL;
  readonly connection: Connection;
  readonly timeoutMs: number;
  readonly attemptsMax: number;
  readonly backoffMs: number;
  readonly retryAfterMaxMs: number;
};

/**
 * Sends a request until it is answered or the attempts are used up: the same bytes and the same Idempotency-Key, with a
 * new timestamp, nonce and signature each time. Retried: no readable response, which the 502 of a proxy is too, 409
 * IDEMPOTENCY_KEY_IN_PROGRESS, 429 and 503. Nothing else is retried, nor is any request that is unsafe to repeat.
 */
async function send(context: Context, input: RequestInput): Promise<Answer> {
  const { signal } = input;
  signal?.throwIfAborted(); // Nothing was sent: there is nothing to repeat.
  const request = prepare(input);
  const { method, idempotencyKey } = request;
  const isRepeatable = method === 'GET' || method === 'PUT' || idempotencyKey !== undefined;
  const attemptsMax = isRepeatable ? context.attemptsMax : 1;
  let mayBeDone = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(context, request);
    if (!(outcome instanceof Error)) return { ...outcome, attempts: attempt };
    if (attempt >= attemptsMax || !mayPass(context, outcome)) throw mayBeDone ? unlessDecided(outcome) : outcome;
    mayBeDone ||= method !== 'GET' && outcome instanceof NoAnswerError;
    await pause(context, attempt, outcome, signal).catch(() => {
      throw new NoAnswerError(signal?.reason, idempotencyKey);
    });
  }
}

function prepare({ method, target, signal, body, idempotencyKey }: RequestInput): Prepared {
  const key = idempotencyKey ?? (method === 'POST' ? randomUUID() : undefined);
  return { method, target, idempotencyKey: key, body: bytesOf(body), signal };
}

type Prepared = {
  readonly method: string;
  readonly target: string;
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer;
  readonly signal: AbortSignal | undefined;
};

type Outcome = Omit<Answer, 'attempts'> | ApiError | NoAnswerError;

/** One signed attempt: a response below 300, or the error that the caller gets if this was the last attempt. */
async function sendOnce(context: Context, request: Prepared): Promise<Outcome> {
  const { method, target, idempotencyKey, body, signal } = request;
  const { authorization } = signRequest(
    context.identity,
    { method, target, idempotencyKey: idempotencyKey ?? '', body },
    freshMoment(new Date()),
  );
  const headers = {
    Authorization: authorization,
    Accept: 'application/json',
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(body.length === 0 ? {} : { 'Content-Type': 'application/json' }),
  };
  try {
    const { timeoutMs } = context;
    const answer = await context.connection.send({ method, target, headers, body, timeoutMs, signal });
    return refusalOf(answer, idempotencyKey) ?? answerOf(answer, idempotencyKey);
  } catch (error) {
    return new NoAnswerError(signal?.aborted === true ? signal.reason : error, idempotencyKey);
  }
}

/** Whether a repeat may succeed: no readable response, or a temporary refusal that does not ask to wait too long. */
function mayPass(context: Context, error: ApiError | NoAnswerError): boolean {
  if (error instanceof NoAnswerError) return true;
  if ((error.retryAfterSeconds ?? 0) * 1000 > context.retryAfterMaxMs) return false;
  return error.status === 429 || error.status === 503 || error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
}

/**
 * Whether a refusal says that an earlier attempt, which got no response, did nothing either. "Not now" and a page of a proxy
 * don't, nor does 401: the key may have been revoked in between.
 */
function decides({ status, code }: ApiError): boolean {
  const isOfCommand = status >= 400 && status < 500 && status !== 401 && status !== 429;
  return isOfCommand && code !== 'UNREADABLE' && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS';
}

/** How a command ends whose earlier attempt got no response: its outcome is unknown, unless the last refusal decides it. */
function unlessDecided(last: ApiError | NoAnswerError): ApiError | NoAnswerError {
  if (last instanceof NoAnswerError || decides(last)) return last;
  const { status, code, message, idempotencyKey } = last;
  const told = `an earlier attempt got none, the last one ${String(status)} ${code}: ${message}`;
  return new NoAnswerError(new Error(told, { cause: last }), idempotencyKey);
}

async function pause(context: Context, attempt: number, error: ApiError | NoAnswerError, signal: AbortSignal | undefined): Promise<void> {
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  const base = context.backoffMs * 2 ** (attempt - 1);
  // Half of it is random, so that clients that failed together do not retry together.
  const ms = retryAfterSeconds === undefined ? base / 2 + randomInt(Math.ceil(base / 2) + 1) : retryAfterSeconds * 1000;
  await wait(ms, undefined, { signal });
}

/** @throws Error for the 502 or 504 of a proxy: what the service did is unknown. */
function refusalOf(answer: RawAnswer, idempotencyKey: string | undefined): ApiError | undefined {
  if (answer.status < 300) return undefined;
  const { status, headers, body } = answer;
  const error = new ApiError({
    status,
    body: readJson(body.toString('utf8')),
    retryAfterSeconds: readRetryAfter(answer.retryAfter, new Date()),
    requestId: single(headers['x-request-id']),
    date: single(headers['date']),
    idempotencyKey,
  });
  if (error.code === 'UNREADABLE' && status >= 500 && status !== 503) {
    throw new Error(`HTTP status ${String(status)} of a proxy: the service may have got the request`);
  }
  return error;
}

/** @throws Error for a page of a proxy or a body that was cut: what the service did is unknown. */
function answerOf(answer: RawAnswer, idempotencyKey: string | undefined): Omit<Answer, 'attempts'> {
  const { status, headers, body } = answer;
  const isCsv = single(headers['content-type'])?.startsWith('text/csv') === true;
  const json = isCsv ? undefined : readJson(body.toString('utf8'));
  if (!isCsv && !isRecord(json)) throw new Error('the response is not from this API');
  return {
    status,
    headers,
    body,
    json,
    requestId: single(headers['x-request-id']),
    replayed: single(headers['idempotency-replayed']) === 'true',
    idempotencyKey,
  };
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(JSON.stringify(body));
}
