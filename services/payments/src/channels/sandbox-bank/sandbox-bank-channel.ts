import { Agent, request } from 'undici';
import { createBreaker, CircuitOpenError, type Breaker } from '@pay/shared/breaker/breaker.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { upstreamDuration } from '@pay/shared/telemetry/metrics.ts';
import type { ChannelResult, RefundResult } from '../../domain/channel-result.ts';
import type { Authorization, Channel, Charge, ChannelRefund, Order } from '../channel.ts';
import { readOperation, readRefundOperation } from './operation.ts';

type Options = {
  /** Origin of the bank, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  readonly apiKey: string;
  /** Names the breaker: one a route. */
  readonly routeId: string;
  readonly log: Log;
  /** The whole of one call; 10 s by default. */
  readonly deadlineMs?: number;
  /** How long the breaker stays open before one call is let through. */
  readonly breakerResetMs?: number;
};

/** A bank that has not answered by then will be asked by read-back; the buyer's browser must not wait longer. */
const DEADLINE_MS = 10_000;
/** Sockets to one bank; more calls than that wait in line inside the pool. */
const CONNECTIONS = 256;
/** An Operation is a few hundred bytes. */
const ANSWER_BYTES_MAX = 64 * 1024;

const DESCRIPTION_MAX = 140;

/** An answer that says the bank is not well: counted by the breaker, told as `unknown`. */
class BankFault extends Error {
  override readonly name = 'BankFault';
}

type Answer = { readonly status: number; readonly body: unknown };
type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** The call makes a new operation. */
  readonly creates?: boolean;
};

/** What an answer means. */
type Read<Result> = (status: number, body: unknown, creates: boolean) => Result;
/** What its absence means. */
type Unanswered = { readonly kind: 'unknown' | 'not-sent' };

/** Sends one call and says what the answer, or its absence, means. */
type Send = <Result extends { readonly kind: string }>(
  operation: string,
  call: Call,
  read: Read<Result>,
) => Promise<Result | Unanswered>;
type Client = { readonly send: Send; readonly isAvailable: () => boolean; readonly close: () => Promise<void> };

function createClient(options: Options): Client {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, maxResponseSize: ANSWER_BYTES_MAX });
  const breaker: Breaker = createBreaker({
    name: `route ${options.routeId}`,
    ...(options.breakerResetMs === undefined ? {} : { resetMs: options.breakerResetMs }),
  });

  const send: Send = async (operation, call, read) => {
    const startedAt = process.hrtime.bigint();
    const result = await breaker
      .run(() => exchange(call))
      .then(({ status, body }) => read(status, body, call.creates === true))
      .catch((error: unknown) => withoutAnswer(operation, error));
    const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
    upstreamDuration.observe({ target: options.routeId, operation, result: result.kind }, seconds);
    return result;
  };

  async function exchange({ method, path, body }: Call): Promise<Answer> {
    const requestId = currentRequestId();
    const answer = await request(`${options.url}${path}`, {
      method,
      dispatcher: agent,
      signal: AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS),
      headers: {
        authorization: `Bearer ${options.apiKey}`,
        accept: 'application/json',
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    // The deadline covers the body too: a bank that drips its answer is a bank that does not answer.
    const text = await answer.body.text();
    if (
      answer.statusCode >= 500 ||
      answer.statusCode === 429 ||
      answer.statusCode === 401 ||
      answer.statusCode === 403
    ) {
      throw new BankFault(`the bank answered ${String(answer.statusCode)}`);
    }
    return { status: answer.statusCode, body: parse(text) };
  }

  /** Nothing was sent, or nobody knows. */
  function withoutAnswer(operation: string, error: unknown): Unanswered {
    const sent = !(error instanceof CircuitOpenError) && !neverConnected(error);
    const fields = { operation, routeId: options.routeId, sent, err: error };
    if (error instanceof CircuitOpenError) options.log.warn('the route is closed for the moment', fields);
    else options.log.warn('no answer from the bank', fields);
    return { kind: sent ? 'unknown' : 'not-sent' };
  }

  return {
    send,
    isAvailable: () => !breaker.isOpen,
    async close() {
      breaker.close();
      await agent.close();
    },
  };
}

export type SandboxBankChannel = Channel & {
  /** Closes the connections. */
  close(): Promise<void>;
};

/** The connector to the sandbox bank, over HTTP. Bodies and answers are never logged: they carry card data. */
export function createSandboxBankChannel(options: Options): SandboxBankChannel {
  const { send, isAvailable, close } = createClient(options);
  const post = (operation: string, path: string, body: object): Promise<ChannelResult> =>
    send(operation, { method: 'POST', path, body }, readOperation);
  const create = (operation: string, path: string, body: object): Promise<ChannelResult> =>
    send(operation, { method: 'POST', path, body, creates: true }, readOperation);
  const register = (order: Order, method: 'CARD' | 'SBP') =>
    create(method === 'CARD' ? 'register' : 'create-qr', '/v1/orders', {
      operationId: order.operationId,
      amountKopecks: order.amountKopecks.toString(),
      currency: 'RUB',
      description: cut(order.description),
      method,
      expiresAt: order.expiresAt.toISOString(),
      returnUrl: order.returnUrl,
    });

  return {
    get isAvailable() {
      return isAvailable();
    },
    register: (order) => register(order, 'CARD'),
    createQr: (order) => register(order, 'SBP'),
    authorize: ({ operationId, card, saveCard }: Authorization) =>
      post('authorize', `/v1/orders/${operationId}/authorize`, { card, saveCard }),
    charge: ({ operationId, amountKopecks, description, cardToken }: Charge) =>
      create('charge', '/v1/charges', {
        operationId,
        amountKopecks: amountKopecks.toString(),
        currency: 'RUB',
        description: cut(description),
        cardToken,
        initiator: 'MERCHANT',
        recurring: true,
      }),
    read: (operationId) => send('read', readCall(operationId), readOperation),
    readRefund: (operationId) => send('read-refund', readCall(operationId), readRefundOperation),
    refund: ({ operationId, originalOperationId, amountKopecks }: ChannelRefund): Promise<RefundResult> => {
      const body = { operationId, originalOperationId, amountKopecks: amountKopecks.toString() };
      return send('refund', { method: 'POST', path: '/v1/refunds', body, creates: true }, readRefundOperation);
    },
    cancel: (operationId) => post('cancel', `/v1/orders/${operationId}/cancel`, {}),
    close,
  };
}

const readCall = (operationId: string): Call => ({ method: 'GET', path: `/v1/operations/${operationId}` });

/** The bank counts a description in UTF-16 units, we count characters. */
function cut(description: string): string {
  let text = '';
  for (const char of description) {
    if (text.length + char.length > DESCRIPTION_MAX) break;
    text += char;
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Errors that arise before a byte of the request left: the name did not resolve, or nobody took the connection. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT',
]); // prettier-ignore

function neverConnected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // Several addresses were tried, and every one failed.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every(neverConnected);
  }
  return 'code' in error && typeof error.code === 'string' && NEVER_CONNECTED.has(error.code);
}
