import { setTimeout as wait } from 'node:timers/promises';
import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { isUnavailable } from '@pay/shared/database/database.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { NewEvent } from '../db/events.ts';
import type { Deps } from '../deps.ts';
import { EVENT_TYPES, renderEvent, type EventType } from '../events/render-event.ts';

/** A fact that partners are told: renders it once and keeps the bytes. Resolves when that is committed. */
export type OnPartnerEvent = (type: EventType, message: IncomingMessage) => Promise<void>;

/** One handler a type: the queue is bound to exactly the types that can be rendered. */
export function partnerEventHandlers(onPartnerEvent: OnPartnerEvent) {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [type, (message: IncomingMessage) => onPartnerEvent(type, message)]),
  );
}

/** What one statement takes; the broker hands out no more at once. */
const BATCH_MAX = 50;
/** What was published together is handed over in several pieces: those that come within this time share a statement. */
const GATHER_MS = 4;

type Waiter = { readonly event: NewEvent; readonly done: () => void; readonly fail: (error: unknown) => void };

/**
 * Messages that arrive while a statement is running share the next one: a statement for each would cost more than
 * the delivery does. A batch that fails is tried again one by one, so that a poison message fails alone
 * and one that came twice at once is stored once.
 */
export function createOnPartnerEvent(deps: Deps): OnPartnerEvent {
  let waiting: Waiter[] = [];
  let isWriting = false;

  async function write(batch: readonly Waiter[]): Promise<void> {
    const events = batch.map(({ event }) => event);
    try {
      await deps.storeEvents(events);
      for (const { done } of batch) done();
    } catch (error) {
      const isAlone = batch.length === 1 || isUnavailable(error);
      if (isAlone) for (const { fail } of batch) fail(error);
      else for (const waiter of batch) await write([waiter]);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    await wait(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await write(batch);
    }
    isWriting = false;
  }

  return async (type, message) => {
    const event = {
      ...renderEvent(type, message.messageId, message.body),
      eventId: message.messageId,
      type,
      requestId: currentRequestId() ?? null,
    };
    await new Promise<void>((resolve, reject) => {
      waiting.push({ event, done: resolve, fail: reject });
      if (!isWriting) void writeAll();
    });
  };
}
