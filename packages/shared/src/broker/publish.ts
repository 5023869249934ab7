import type { ConfirmChannel } from 'amqplib';
import { currentTraceparent, inSpan } from '../telemetry/tracing.ts';
import { EVENTS_EXCHANGE } from './topology.ts';

/** A message as it goes on the wire. */
export type OutgoingMessage = {
  readonly messageId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: Date;
  readonly payload: unknown;
  readonly requestId: string | null;
  readonly traceparent: string | null;
};

/** How far a batch came: the first `taken` messages are safe with the broker, `problem` says why no more. */
export type Published = { readonly taken: number; readonly problem?: PublishError };

/** Confirms may lag by hundreds of milliseconds under load; ten seconds mean that the broker is blocked or gone. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** The broker did not take a message: it stays in the outbox. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

/**
 * Publishes messages in order with pipelined confirms and `mandatory`. Never rejects: it tells how many, from the first,
 * the broker confirmed and could route (it confirms the unroutable too). What comes after a gap is sent again by the
 * caller, in order, and the consumers' inboxes drop what arrived. Bounded by ten seconds and the channel's life.
 */
export async function publishInOrder(
  channel: ConfirmChannel,
  messages: readonly OutgoingMessage[],
): Promise<Published> {
  const confirmed = new Set<string>();
  const unroutable = new Set<string>();
  const onReturn = (message: { properties: { messageId?: unknown } }) => {
    unroutable.add(String(message.properties.messageId));
  };
  channel.on('return', onReturn);
  const lost = channelLost(channel);
  let problem: PublishError | undefined;
  try {
    const all = messages.map(async (message) => {
      await publishOne(channel, message);
      confirmed.add(message.messageId);
    });
    await Promise.race([Promise.all(all), lost.promise]);
  } catch (error) {
    problem = error instanceof PublishError ? error : new PublishError('publishing failed', { cause: error });
  } finally {
    lost.forget();
    channel.off('return', onReturn);
  }
  const gap = messages.findIndex(({ messageId }) => !confirmed.has(messageId) || unroutable.has(messageId));
  if (gap === -1) return { taken: messages.length };
  const types = new Set(messages.filter(({ messageId }) => unroutable.has(messageId)).map(({ type }) => type));
  return { taken: gap, problem: problem ?? new PublishError(`no queue takes ${[...types].join(', ')}`) };
}

/** A channel that dies may never call back: its close, and a deadline, end the wait. */
function channelLost(channel: ConfirmChannel): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const onClose = () => {
    reject(new PublishError('the channel closed before the broker confirmed'));
  };
  channel.once('close', onClose);
  const timer = setTimeout(() => {
    reject(new PublishError('the broker did not confirm in time'));
  }, CONFIRM_TIMEOUT_MS);
  return {
    promise,
    forget: () => {
      clearTimeout(timer);
      channel.off('close', onClose);
    },
  };
}

function publishOne(channel: ConfirmChannel, message: OutgoingMessage): Promise<void> {
  const span = {
    name: `publish ${message.type}`,
    kind: 'producer',
    traceparent: message.traceparent ?? undefined,
  } as const;
  return inSpan(span, () => {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    channel.publish(
      EVENTS_EXCHANGE,
      message.type,
      Buffer.from(JSON.stringify(message.payload)),
      { ...propertiesOf(message), mandatory: true, persistent: true },
      (error: unknown) => {
        if (error === null || error === undefined) resolve(undefined);
        else reject(new PublishError('the broker refused a message', { cause: error }));
      },
    );
    return promise;
  });
}

function propertiesOf(message: OutgoingMessage) {
  const traceparent = currentTraceparent() ?? message.traceparent;
  return {
    contentType: 'application/json',
    messageId: message.messageId,
    type: message.type,
    timestamp: Math.floor(message.occurredAt.getTime() / 1_000),
    headers: {
      aggregateId: message.aggregateId,
      occurredAt: message.occurredAt.toISOString(),
      ...(message.requestId === null ? {} : { requestId: message.requestId }),
      ...(traceparent === null ? {} : { traceparent }),
    },
  };
}
