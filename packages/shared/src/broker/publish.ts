import type { ConfirmChannel } from 'amqplib';
import { currentTraceparent, inSpan } from '../telemetry/tracing.ts';
import { signFact, type SigningKeys } from './fact-signature.ts';
import { exchangeOf, routeOf, routingKeyOf, type FactRoutes } from './topology.ts';

/** A message in wire format. */
export type OutgoingMessage = {
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: Date;
  readonly payload: unknown;
  readonly requestId: string | null;
  readonly traceparent: string | null;
};

/** How far a batch got: the broker has the first `taken` messages; `problem` says why not more. */
export type Published = { readonly taken: number; readonly problem?: PublishError };

/** The producer of these messages, and what is known about them. */
export type Outlet = {
  readonly producer: string;
  readonly facts: FactRoutes;
  readonly keys: SigningKeys;
  /**
   * By message: the consumers whose queue has it. Filled here and checked on the next try, so that a consumer's copy is
   * not sent again because another consumer's queue is missing. Whoever drops a message removes its entry.
   */
  readonly safe: Map<string, Set<string>>;
};

/** The copies on one channel that wait for their confirm, and those that were returned. */
type InFlight = { readonly copies: Map<string, Promise<void>>; readonly returned: Map<string, Set<string>> };

const inFlight = new WeakMap<ConfirmChannel, InFlight>();

/** Lives as long as the channel: a late answer still counts, and nothing is written to it twice. */
function inFlightOn(channel: ConfirmChannel): InFlight {
  const known = inFlight.get(channel);
  if (known !== undefined) return known;
  const returned = new Map<string, Set<string>>();
  channel.on('return', ({ fields, properties }: Returned) => {
    remember(returned, String(properties.messageId), fields.routingKey);
  });
  const own = { copies: new Map<string, Promise<void>>(), returned };
  inFlight.set(channel, own);
  return own;
}

/** Confirms may lag by hundreds of milliseconds under load; ten seconds mean that the broker is blocked or gone. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** The broker did not accept a message: it stays in the outbox. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  /** Routing keys that no queue is bound to, sorted. */
  readonly unroutable: readonly string[];
  /** The channel is open but silent. */
  readonly isLate: boolean;

  constructor(message: string, options?: ErrorOptions & { readonly unroutable?: readonly string[]; readonly isLate?: true }) {
    super(message, options);
    this.unroutable = options?.unroutable ?? [];
    this.isLate = options?.isLate ?? false;
  }
}

/**
 * Publishes messages in order, a copy for each consumer, with pipelined confirms and `mandatory`. Never rejects: it
 * returns how many, from the first one, are in the queue of every required consumer. The caller retries those after a
 * gap; copies that the broker has not answered yet are then awaited, not published again. Limited to ten seconds and
 * the channel's life. See decisions/outbox-and-relay.
 */
export async function publishInOrder(channel: ConfirmChannel, messages: readonly OutgoingMessage[], outlet: Outlet): Promise<Published> {
  const unroutable = new Set<string>();
  const lost = channelLost(channel);
  let problem: PublishError | undefined;
  try {
    const all = messages.flatMap((message) =>
      missingCopies(message, outlet).map(async (consumer) => {
        if (!(await isRouted(channel, message, consumer, outlet))) unroutable.add(routingKeyOf(consumer, message.type));
      }),
    );
    await Promise.race([Promise.all(all), lost.promise]);
  } catch (error) {
    problem = error instanceof PublishError ? error : new PublishError('publishing failed', { cause: error });
  } finally {
    lost.forget();
  }
  const gap = messages.findIndex((message) => !isTaken(message, outlet));
  if (gap === -1) return { taken: messages.length };
  return { taken: gap, problem: problem ?? gapProblem(messages[gap], [...unroutable].sort(), outlet) };
}

/** Publishes a copy, unless it is already on this channel, and awaits the broker's answer: whether a queue has it. */
async function isRouted(channel: ConfirmChannel, message: OutgoingMessage, consumer: string, outlet: Outlet): Promise<boolean> {
  const { copies, returned } = inFlightOn(channel);
  const { messageId } = message;
  const key = routingKeyOf(consumer, message.type);
  const copy = `${messageId} ${key}`;
  let answer = copies.get(copy);
  if (answer === undefined) {
    answer = publishCopy(channel, message, consumer, outlet)
      .then(() => {
        // The broker also confirms what it could not route, but returns it first.
        if (!forget(returned, messageId, key)) remember(outlet.safe, messageId, consumer);
      })
      .finally(() => copies.delete(copy));
    copies.set(copy, answer);
  }
  await answer;
  return holds(outlet.safe, messageId, consumer);
}

type Returned = { readonly fields: { readonly routingKey: string }; readonly properties: { messageId?: unknown } };

function gapProblem(message: OutgoingMessage | undefined, unroutable: readonly string[], outlet: Outlet): PublishError {
  if (message !== undefined && consumersOf(message, outlet).length === 0)
    return new PublishError(`${outlet.producer} is not declared as the owner of ${message.type}`);
  return new PublishError(`no queue is bound for ${unroutable.join(', ')}`, { unroutable });
}

/** No consumers for a type that this producer does not own. */
function consumersOf({ type }: OutgoingMessage, { facts, producer }: Outlet): readonly string[] {
  const route = routeOf(facts, type);
  return route?.owner === producer ? route.consumers : [];
}

function missingCopies(message: OutgoingMessage, outlet: Outlet): readonly string[] {
  return consumersOf(message, outlet).filter((consumer) => !holds(outlet.safe, message.messageId, consumer));
}

function isTaken(message: OutgoingMessage, outlet: Outlet): boolean {
  return consumersOf(message, outlet).length > 0 && missingCopies(message, outlet).length === 0;
}

const holds = (map: ReadonlyMap<string, ReadonlySet<string>>, key: string, value: string): boolean => map.get(key)?.has(value) ?? false;

function remember(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

/** Returns whether it was present. */
function forget(map: Map<string, Set<string>>, key: string, value: string): boolean {
  const known = map.get(key);
  const was = known?.delete(value) ?? false;
  if (known?.size === 0) map.delete(key);
  return was;
}

/** A channel that dies may never call back: its close event, and a deadline, end the wait. */
function channelLost(channel: ConfirmChannel): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const onClose = () => {
    reject(new PublishError('the channel closed before the broker confirmed'));
  };
  channel.once('close', onClose);
  const timer = setTimeout(() => {
    reject(new PublishError('the broker did not confirm in time', { isLate: true }));
  }, CONFIRM_TIMEOUT_MS);
  return {
    promise,
    forget: () => {
      clearTimeout(timer);
      channel.off('close', onClose);
    },
  };
}

async function publishCopy(channel: ConfirmChannel, message: OutgoingMessage, consumer: string, { producer, keys }: Outlet): Promise<void> {
  const key = keys.get(consumer);
  if (key === undefined) throw new PublishError(`no key to sign for ${consumer}`);
  const span = {
    name: `publish ${message.type}`,
    kind: 'producer',
    traceparent: message.traceparent,
  } as const;
  const body = Buffer.from(JSON.stringify(message.payload));
  const signature = signFact({ ...message, occurredAt: message.occurredAt.toISOString(), body }, producer, consumer, key);
  return inSpan(span, () => {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    channel.publish(
      exchangeOf(producer),
      routingKeyOf(consumer, message.type),
      body,
      { ...propertiesOf(message, signature), mandatory: true, persistent: true },
      (error: unknown) => {
        if (error === null || error === undefined) resolve(undefined);
        else reject(new PublishError('the broker refused a message', { cause: error }));
      },
    );
    return promise;
  });
}

function propertiesOf(message: OutgoingMessage, signature: string) {
  const traceparent = currentTraceparent() ?? message.traceparent;
  return {
    contentType: 'application/json',
    messageId: message.messageId,
    type: message.type,
    timestamp: Math.floor(message.occurredAt.getTime() / 1_000),
    headers: {
      aggregateId: message.aggregateId,
      occurredAt: message.occurredAt.toISOString(),
      signature,
      ...(message.requestId === null ? {} : { requestId: message.requestId }),
      ...(traceparent === null ? {} : { traceparent }),
    },
  };
}
