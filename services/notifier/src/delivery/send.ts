import { Agent, request, type Dispatcher } from 'undici';
import type { AttemptFailure } from '@pay/contract/states.ts';
import { withoutForbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { isPrivateAddress } from '@pay/shared/net/public-address.ts';
import { safeConnector, type AddressRules } from '@pay/shared/net/safe-connect.ts';
import { publicUrlProblem } from '@pay/shared/net/public-url.ts';
import { SIGNATURE_HEADER, signCallback, type CallbackKey } from '@pay/signing/callback-signature.ts';
import { readRetryAfter } from '@pay/signing/retry-after.ts';
import type { Answer } from '../domain/answer.ts';

/** One overall deadline for name lookup, connection, TLS, headers and body together. See spec/decisions#retry-schedule. */
export const DEADLINE_MS = 10_000;
/** The rest of a response is not stored: 30 days of every attempt are. */
export const EXCERPT_BYTES_MAX = 1_024;
/** The rest of a response is not read: it costs its connection. */
export const READ_BYTES_MAX = 16 * 1024;
/** How long an idle connection is kept, unless the receiver asks for less. */
const KEEP_ALIVE_MS = 4_000;
/** A policy of what a page may load, and cookies, take tens of thousands; more is nobody's intention. */
const RESPONSE_HEADER_BYTES_MAX = 64 * 1024;

export type Outgoing = {
  readonly url: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: Buffer;
  /** Newest first. */
  readonly keys: readonly CallbackKey[];
  /** The database time. */
  readonly now: Date;
};

export type Sent = { readonly answer: Answer; readonly excerpt: Buffer };

export type Sender = {
  /** Makes one attempt. Never throws: any failure is reported as a missing response. */
  send(outgoing: Outgoing, stopped: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
};

/**
 * Identifies the caller, for people who read logs and for firewalls that refuse anonymous clients; `1` is the
 * schemaVersion. It proves nothing: the signature does. See decisions/partner-events.
 */
const USER_AGENT = 'payment-callbacks/1';

/**
 * All headers that a partner's server receives besides Host, Connection and Content-Length. A test compares the wire.
 */
export function callbackHeaders(outgoing: Omit<Outgoing, 'url'>): Record<string, string> {
  const { eventId, type, keys, now, body } = outgoing;
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event-ID': eventId,
    'X-Service-Event-Type': type,
    'X-Service-Timestamp': timestamp,
    ...(keys.length === 0 ? {} : { [SIGNATURE_HEADER]: signCallback(keys, timestamp, body) }),
  };
}

/**
 * Sends callbacks. Connections are kept alive per receiver and go to checked addresses only. No redirect is followed
 * and no proxy from the environment is used. `deadlineMs` is shorter in tests only.
 */
export function createSender(rules: AddressRules, connectionsPerReceiver: number, deadlineMs = DEADLINE_MS): Sender {
  const agentBy = (allowed: AddressRules) =>
    new Agent({
      connect: safeConnector(allowed),
      connections: connectionsPerReceiver,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      // The deadline below is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  const toPublic = agentBy({ ...rules, allowPrivate: false });
  const toPrivate = rules.allowPrivate ? agentBy(rules) : undefined;
  /**
   * To a public address if it is one. What a private one says beside its status is nobody's business: it may be anything in
   * our network.
   */
  const deliver = async (outgoing: Outgoing, by: (agent: Agent) => Promise<Sent>): Promise<Sent> => {
    const isPrivate = toPrivate !== undefined && isPrivateHost(new URL(outgoing.url).hostname, rules);
    const sent = isPrivate ? unanswered('ADDRESS_NOT_PUBLIC') : await by(toPublic);
    const isRefused = sent.answer.kind === 'unanswered' && sent.answer.failure === 'ADDRESS_NOT_PUBLIC';
    if (toPrivate === undefined || !isRefused) return sent;
    return { ...(await by(toPrivate)), excerpt: Buffer.alloc(0) };
  };
  return {
    async send(outgoing, stopped) {
      if (publicUrlProblem(outgoing.url, { ...rules, openedBy: 'us' }) !== undefined) return unanswered('ADDRESS_NOT_PUBLIC');
      const ended = new AbortController();
      const end = () => {
        ended.abort();
      };
      const timer = setTimeout(end, deadlineMs);
      const untilMs = performance.now() + deadlineMs;
      const by = (agent: Agent) => post(endingAt(agent, untilMs, end), outgoing, ended.signal);
      stopped.addEventListener('abort', end, { once: true });
      // undici notices an abort only once it has a connection; a name server or a handshake may hang before that.
      const late = new Promise<Sent>((resolve) => {
        ended.signal.addEventListener('abort', () => {
          resolve(unanswered('TIMEOUT'));
        });
      });
      try {
        return await Promise.race([deliver(outgoing, by), late]);
      } finally {
        clearTimeout(timer);
        stopped.removeEventListener('abort', end);
      }
    },
    async close() {
      await Promise.all([toPublic.destroy(), toPrivate?.destroy()]);
    },
  };
}

/** Whether a host is private by how it is written: then nobody has to find out. */
function isPrivateHost(hostname: string, { publicForTests = [] }: AddressRules): boolean {
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1');
  return isPrivateAddress(host) && !publicForTests.includes(host);
}

/**
 * Calls `end` before the first byte if the time is over by then: a process that stood still while it connected may come there
 * before its timer has fired, and meanwhile another replica may have sent this event, and the next one.
 */
function endingAt(agent: Agent, untilMs: number, end: () => void): Dispatcher {
  return agent.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (performance.now() >= untilMs) end();
      start?.(controller, context);
    };
    return dispatch(options, handler);
  });
}

async function post(dispatcher: Dispatcher, outgoing: Outgoing, signal: AbortSignal): Promise<Sent> {
  try {
    const response = await request(outgoing.url, {
      dispatcher,
      method: 'POST',
      headers: callbackHeaders(outgoing),
      body: outgoing.body,
      signal,
    });
    const excerpt = await readExcerpt(response.body);
    const { 'retry-after': asked = [] } = response.headers;
    const retryAfterSeconds = readRetryAfter([asked].flat(), outgoing.now) ?? null;
    return { answer: { kind: 'answered', status: response.statusCode, retryAfterSeconds }, excerpt };
  } catch (error) {
    return unanswered(failureOf(error));
  }
}

function unanswered(failure: AttemptFailure): Sent {
  return { answer: { kind: 'unanswered', failure }, excerpt: Buffer.alloc(0) };
}

/** Reads what is kept of it; a longer response costs its connection, not our memory. */
async function readExcerpt(body: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop destroys the stream and, because the response is incomplete, the connection.
    if (length >= READ_BYTES_MAX) break;
  }
  return withoutSecrets(Buffer.concat(chunks).subarray(0, READ_BYTES_MAX)).subarray(0, EXCERPT_BYTES_MAX);
}

/**
 * A receiver may echo what its shop knows, including a buyer's card. We cannot refuse the response, so card data is cut
 * out, before it is shortened: half a number is no longer found. A response without any is left exactly as it was.
 */
function withoutSecrets(excerpt: Buffer): Buffer {
  const text = excerpt.toString('utf8');
  const kept = withoutForbiddenContent(text);
  return kept === text ? excerpt : Buffer.from(kept);
}

const FAILURES: Readonly<Record<string, AttemptFailure>> = {
  ADDRESS_NOT_PUBLIC: 'ADDRESS_NOT_PUBLIC',
  NAME_NOT_RESOLVED: 'NAME_NOT_RESOLVED',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_RESET',
  EPIPE: 'CONNECTION_RESET',
  UND_ERR_SOCKET: 'CONNECTION_RESET',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_ABORTED: 'TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'HEADERS_TOO_LARGE',
  UND_ERR_INFO: 'INVALID_HTTP',
  // The parser stopped at what it refuses, and compares the lengths before it says why.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'INVALID_HTTP',
  // It asserts what no response is: another protocol that we did not ask for, a status below 100.
  ERR_ASSERTION: 'INVALID_HTTP',
};

function failureOf(error: unknown): AttemptFailure {
  const [name, code] = [textOf(error, 'name'), textOf(error, 'code')];
  if (name === 'AbortError') return 'TIMEOUT';
  // Every address of a name failed: node collects the errors of all tries.
  if (error instanceof AggregateError) return failureOf(error.errors[0]);
  if (code === 'UND_ERR_SOCKET' && textOf(error, 'message') === 'bad upgrade') return 'INVALID_HTTP';
  const known = FAILURES[code];
  if (known !== undefined) return known;
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return 'INVALID_HTTP';
  return /^(?:ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) ? 'TLS_FAILED' : 'NETWORK_ERROR';
}

function textOf(error: unknown, property: 'name' | 'code' | 'message'): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, property) : undefined;
  return typeof value === 'string' ? value : '';
}
