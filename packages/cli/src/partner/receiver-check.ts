import { randomBytes, randomUUID } from 'node:crypto';
import type { CallbackKey } from '@pay/sdk/callback-envelope.ts';
import { signTestCallback } from '@pay/sdk/callbacks.ts';
import type { PaymentCompletedEvent } from '@pay/sdk/events.ts';
import { post } from './post.ts';

/** The check of one rule of docs/partners/callbacks.md against a receiver. */
export type RuleResult = {
  readonly rule: string;
  readonly passed: boolean;
  /** What the rule requires, in words. */
  readonly expected: string;
  /** The status received, or why there was none. */
  readonly got: string;
  readonly durationMs: number;
};

export type CheckOptions = {
  readonly url: string;
  readonly key: CallbackKey;
  /** A payment known to the receiver, for receivers that reject unknown payments. */
  readonly orderId?: string;
  readonly merchantOrderId?: string;
  /** Defaults to the service's own deadline: a later response does not count. */
  readonly deadlineMs?: number;
};

/** See spec/decisions#retry-schedule: ten seconds in total. */
const DEADLINE_MS = 10_000;
/** Beyond the five minutes that a receiver tolerates, with a margin for clock skew. */
const STALE_SECONDS = 360;

type Call = {
  readonly rule: string;
  readonly wants: 'accepted' | 'not authentic';
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Sends a receiver what the service may send and what a forger might, and reports whether it follows each rule. All events
 * are about one payment and signed with the partner's own key. What a receiver does besides responding (such as shipping
 * twice) cannot be seen from outside.
 */
export async function checkReceiver(options: CheckOptions): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = [];
  // One at a time: that is how the service sends the events of a payment, and later rules build on earlier ones.
  for (const call of callsFor(options)) results.push(await play(options, call));
  return [...results, slowest(results, options.deadlineMs ?? DEADLINE_MS)];
}

function callsFor({ key, ...options }: CheckOptions): readonly Call[] {
  const now = new Date();
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const orderId = options.orderId ?? randomUUID();
  const event = (aggregateVersion: number): PaymentCompletedEvent => ({
    schemaVersion: 1,
    eventId: randomUUID(),
    type: 'payment.completed',
    aggregateVersion,
    createdAt: now.toISOString(),
    data: {
      paymentId: randomUUID(),
      orderId,
      merchantOrderId: options.merchantOrderId ?? 'receiver-check',
      status: 'COMPLETED',
      amount: '10.50',
      currency: 'RUB',
      paymentMethod: 'CARD',
      bankOperationId: null,
      occurredAt: now.toISOString(),
    },
  });
  const stranger: CallbackKey = { keyId: key.keyId, secret: randomBytes(32).toString('base64') };
  const unknown: CallbackKey = { keyId: `k_${randomUUID()}`, secret: stranger.secret };
  const second = event(2);
  const accepted = (rule: string, sent: ReturnType<typeof signTestCallback>): Call => ({ ...sent, rule, wants: 'accepted' });
  const forged = (rule: string, sent: ReturnType<typeof signTestCallback>): Call => ({ ...sent, rule, wants: 'not authentic' });
  const other = signTestCallback(event(3), [key], now);
  return [
    accepted('a signed event', signTestCallback(second, [key], now)),
    accepted('the same event again with a new time and signature', signTestCallback(second, [key], at(1))),
    accepted('an event with a lower aggregateVersion is ignored, not rejected', signTestCallback(event(1), [key], now)),
    accepted('two signatures, the first with a key that is not known yet', signTestCallback(event(3), [unknown, key], now)),
    forged('a wrong signature', signTestCallback(event(4), [stranger], now)),
    forged('an unknown key', signTestCallback(event(4), [unknown], now)),
    forged('a body other than the signed one', { ...other, body: Buffer.concat([other.body, Buffer.from(' ')]) }),
    forged('a timestamp six minutes old, correctly signed', signTestCallback(event(4), [key], at(-STALE_SECONDS))),
    forged('a timestamp six minutes ahead, correctly signed', signTestCallback(event(4), [key], at(STALE_SECONDS))),
    accepted('the next event afterwards', signTestCallback(event(4), [key], now)),
  ];
}

async function play(options: CheckOptions, { rule, wants, body, headers }: Call): Promise<RuleResult> {
  const startedAt = performance.now();
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const status = await statusOf(options.url, headers, body, deadlineMs);
  const durationMs = Math.round(performance.now() - startedAt);
  const passed = wants === 'accepted' ? status === 200 : status === 401 || status === 403;
  return { rule, passed, expected: wants === 'accepted' ? '200' : '401 or 403', got: String(status), durationMs };
}

/** The status, or why there is none. A redirect counts as a response: the service does not follow it either. */
async function statusOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  deadlineMs: number,
): Promise<number | string> {
  try {
    return await post(url, headers, body, deadlineMs);
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${String(deadlineMs / 1_000)} s`;
    return `no answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The slowest response, measured to its last byte: the service waits for the whole of it. */
function slowest(results: readonly RuleResult[], deadlineMs: number): RuleResult {
  const durationMs = Math.max(...results.map((result) => result.durationMs));
  return {
    rule: 'every answer arrives in time',
    passed: durationMs < deadlineMs,
    expected: `within ${String(deadlineMs / 1_000)} s`,
    got: `the slowest took ${String(durationMs)} ms`,
    durationMs,
  };
}
