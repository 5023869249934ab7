import type { EventType } from '@pay/contract/events.ts';
import { batcher } from '@pay/shared/batcher/batcher.ts';
import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';
import type { NewEvent } from '../db/events.ts';
import type { Deps } from '../deps.ts';
import { EVENT_TYPES, renderEvent } from '../events/render-event.ts';

/** A fact that becomes a callback: renders it once and stores the bytes. Resolves when they are committed. */
export type OnPartnerEvent = (type: EventType, message: IncomingMessage) => Promise<void>;

/** One handler per type: the queue is bound to exactly the types that can be rendered. */
export function partnerEventHandlers(onPartnerEvent: OnPartnerEvent) {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, (message: IncomingMessage) => onPartnerEvent(type, message)]));
}

/** Events per statement. The broker delivers no more at once. */
const BATCH_MAX = 50;
/**
 * Messages that were published together are delivered in several pieces. Those that arrive within this time share a
 * statement.
 */
const GATHER_MS = 4;

/**
 * Messages that arrive together share a statement: one each would cost more than their delivery. If a batch fails, its
 * events are stored again one by one, so that a poison message fails alone and a duplicate is stored once.
 */
export function createOnPartnerEvent(deps: Deps): OnPartnerEvent {
  const write = async (events: readonly NewEvent[]) => {
    await deps.delivery.store(events);
    deps.stored.here(new Set(events.map(({ partnerId }) => partnerId)));
  };
  const store = batcher(write, { max: BATCH_MAX, waitMs: GATHER_MS });
  const storeAlone = batcher(write, { max: 1, waitMs: 0 });

  return async (type, message) => {
    const event = {
      ...renderEvent(type, message.messageId, message.body),
      eventId: message.messageId,
      type,
      requestId: currentRequestId() ?? null,
      traceparent: currentTraceparent() ?? null,
    };
    try {
      await store(event);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await storeAlone(event);
    }
  };
}
