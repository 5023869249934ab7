import { connect, type ChannelModel } from 'amqplib';
import { publishInOrder, type OutgoingMessage } from '@pay/shared/broker/publish.ts';

export type TestPublisher = {
  publish(messages: readonly Pick<OutgoingMessage, 'messageId' | 'type' | 'aggregateId' | 'payload'>[]): Promise<void>;
  close(): Promise<void>;
};

/** Publishes as another service's relay does. */
export async function connectPublisher(url: string): Promise<TestPublisher> {
  const model: ChannelModel = await connect(url);
  const channel = await model.createConfirmChannel();
  const occurredAt = new Date('2026-11-20T10:00:00.000Z');
  return {
    async publish(messages) {
      await publishInOrder(
        channel,
        messages.map((message) => ({ ...message, occurredAt, requestId: null, traceparent: null })),
      );
    },
    close: () => model.close(),
  };
}
