import type { EventType } from '@pay/contract/events.ts';
import {
  BindingFact,
  PaymentCompleted,
  PaymentFailed,
  PaymentRefunded,
  RefundCompleted,
  RefundFailed,
  RefundPending,
  RegisterReady,
  WithdrawalFact,
  WithdrawalRegisterReady,
} from '@pay/contract/messages.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { renderBindingEvent } from './binding-events.ts';
import { renderPaymentCompleted, renderPaymentFailed } from './payment-events.ts';
import { renderRefundEvent, renderRefundFailed } from './refund-events.ts';
import { renderRegisterReady, renderWithdrawalRegisterReady } from './register-events.ts';
import { renderWithdrawalEvent } from './withdrawal-events.ts';

/** A callback, rendered once: these bytes are sent at every attempt. */
export type RenderedEvent = {
  readonly partnerId: PartnerId;
  /** The payment or binding whose events are delivered in sequence. */
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly body: Buffer;
};

type Fact = {
  readonly partnerId: PartnerId;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Reads a message of one type and renders its `data`. @throws ZodError if the message does not match its schema. */
type Render = (body: unknown) => Fact;

/**
 * The events that partners receive: type → how its message becomes `data`. Together with `http/` the only place that
 * knows wire names. A new event is a row here; the consumer binds the queue to exactly these types.
 */
export const RENDERERS = {
  'payment.completed': (body) => {
    const message = PaymentCompleted.parse(body);
    return { ...message, aggregateId: message.paymentId, data: renderPaymentCompleted(message) };
  },
  'payment.failed': (body) => {
    const message = PaymentFailed.parse(body);
    return { ...message, aggregateId: message.paymentId, data: renderPaymentFailed(message) };
  },
  'refund.pending': (body) => {
    const message = RefundPending.parse(body);
    return { ...message, aggregateId: message.paymentId, data: renderRefundEvent(message, 'PENDING') };
  },
  'refund.completed': (body) => {
    const message = RefundCompleted.parse(body);
    return { ...message, aggregateId: message.paymentId, data: renderRefundEvent(message, 'COMPLETED') };
  },
  'refund.failed': (body) => {
    const message = RefundFailed.parse(body);
    return { ...message, aggregateId: message.paymentId, data: renderRefundFailed(message) };
  },
  'payment.refunded': (body) => {
    const message = PaymentRefunded.parse(body);
    return { ...message, aggregateId: message.paymentId, data: renderRefundEvent(message, 'REFUNDED') };
  },
  'binding.created': renderBinding,
  'binding.revoked': renderBinding,
  'binding.expired': renderBinding,
  'withdrawal.requested': renderWithdrawal,
  'withdrawal.in_review': renderWithdrawal,
  'withdrawal.approved': renderWithdrawal,
  'withdrawal.completed': renderWithdrawal,
  'withdrawal.rejected': renderWithdrawal,
  'withdrawal.cancelled': renderWithdrawal,
  'withdrawal.failed': renderWithdrawal,
  'register.ready': (body) => {
    const message = RegisterReady.parse(body);
    return { ...message, aggregateId: message.registerId, data: renderRegisterReady(message) };
  },
  'withdrawal-register.ready': (body) => {
    const message = WithdrawalRegisterReady.parse(body);
    return { ...message, aggregateId: message.registerId, data: renderWithdrawalRegisterReady(message) };
  },
} as const satisfies Record<EventType, Render>;

function renderBinding(body: unknown): Fact {
  const message = BindingFact.parse(body);
  return { ...message, aggregateId: message.bindingId, data: renderBindingEvent(message) };
}

function renderWithdrawal(body: unknown): Fact {
  const message = WithdrawalFact.parse(body);
  return { ...message, aggregateId: message.withdrawalRequestId, data: renderWithdrawalEvent(message) };
}

const isEventType = (text: string): text is EventType => Object.hasOwn(RENDERERS, text);
export const EVENT_TYPES: readonly EventType[] = Object.keys(RENDERERS).filter(isEventType);

/**
 * Renders the envelope. See spec/service-contract#envelope. @throws ZodError if the message does not match its schema.
 */
export function renderEvent(type: EventType, eventId: string, body: unknown): RenderedEvent {
  const { partnerId, aggregateId, aggregateVersion, occurredAt, data } = RENDERERS[type](body);
  const envelope = { schemaVersion: 1, eventId, type, aggregateVersion, createdAt: occurredAt, data };
  return { partnerId, aggregateId, aggregateVersion, body: Buffer.from(JSON.stringify(envelope)) };
}
