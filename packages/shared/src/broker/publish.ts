import type { ConfirmChannel } from 'amqplib';
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

/** Confirms may lag by hundreds of milliseconds under load; ten seconds mean that the broker is blocked or gone. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** The broker did not take a message: it stays in the outbox. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

/**
 * Publishes messages in order with pipelined confirms and `mandatory`. Resolves when every one is confirmed and none
 * came back as unroutable (a broker confirms those too). Rejects with PublishError otherwise: the caller sends the
 * whole batch again later, and the consumers' inboxes drop what arrived.
 */
export async function publishInOrder(channel: ConfirmChannel, messages: readonly OutgoingMessage[]): Promise<void> {
  const returned = new Set<string>();
  const onReturn = (message: { properties: { messageId?: unknown } }) => {
    returned.add(String(message.properties.messageId));
  };
  channel.on('return', onReturn);
  let timer: NodeJS.Timeout | undefined;
  let onClose: (() => void) | undefined;
  try {
    const confirmed = Promise.all(messages.map((message) => publishOne(channel, message)));
    // A channel that dies may never call back: its close, and a deadline, end the wait.
    const lost = new Promise<never>((_resolve, reject) => {
      onClose = () => {
        reject(new PublishError('the channel closed before the broker confirmed'));
      };
      channel.once('close', onClose);
      timer = setTimeout(() => {
        reject(new PublishError('the broker did not confirm in time'));
      }, CONFIRM_TIMEOUT_MS);
    });
    await Promise.race([confirmed, lost]);
  } finally {
    clearTimeout(timer);
    if (onClose !== undefined) channel.off('close', onClose);
    channel.off('return', onReturn);
  }
  if (returned.size > 0) {
    const types = messages.filter((message) => returned.has(message.messageId)).map((message) => message.type);
    throw new PublishError(`no queue takes ${[...new Set(types)].join(', ')}`);
  }
}

function publishOne(channel: ConfirmChannel, message: OutgoingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.publish(
      EVENTS_EXCHANGE,
      message.type,
      Buffer.from(JSON.stringify(message.payload)),
      {
        mandatory: true,
        persistent: true,
        contentType: 'application/json',
        messageId: message.messageId,
        type: message.type,
        timestamp: Math.floor(message.occurredAt.getTime() / 1_000),
        headers: {
          aggregateId: message.aggregateId,
          occurredAt: message.occurredAt.toISOString(),
          ...(message.requestId === null ? {} : { requestId: message.requestId }),
          ...(message.traceparent === null ? {} : { traceparent: message.traceparent }),
        },
      },
      (error: unknown) => {
        if (error === null || error === undefined) resolve();
        else reject(new PublishError('the broker refused a message', { cause: error }));
      },
    );
  });
}
