import type { CallbackKey } from '../src/callback-envelope.ts';
import type { PartnerEvent, PaymentCompletedEvent } from '../src/events.ts';
import { memoryEventStore } from '../src/event-store.ts';
import type { ReceiverOptions } from '../src/receiver.ts';
import { callbackSigning } from '../../signing/test/vectors.ts';

/** The keys of the test vectors, as issued. */
export const KEYS: readonly CallbackKey[] = Object.entries(callbackSigning.keys).map(([keyId, secret]) => ({
  keyId,
  secret,
}));

export const EVENT: PaymentCompletedEvent = {
  schemaVersion: 1,
  eventId: '0b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
  type: 'payment.completed',
  aggregateVersion: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  data: {
    paymentId: '1b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
    orderId: '2b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
    merchantOrderId: 'A-1',
    status: 'COMPLETED',
    amount: '10.50',
    currency: 'RUB',
    paymentMethod: 'CARD',
    bankOperationId: 'b-1',
    occurredAt: '2026-11-20T10:00:00.000Z',
  },
};

/** A receiver's options, with records of what it applied and refused. */
export function noting(): {
  readonly applied: readonly PartnerEvent[];
  readonly refused: readonly string[];
  readonly options: ReceiverOptions<undefined>;
} {
  const applied: PartnerEvent[] = [];
  const refused: string[] = [];
  return {
    applied,
    refused,
    options: {
      keys: KEYS,
      store: memoryEventStore(),
      onEvent: (event) => {
        applied.push(event);
        return Promise.resolve();
      },
      onRefused: ({ message }) => refused.push(message),
    },
  };
}
