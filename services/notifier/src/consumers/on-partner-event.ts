import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { receiveOnce } from '@pay/shared/inbox/inbox.ts';
import { insertEvent } from '../db/events.ts';
import type { Deps } from '../deps.ts';
import { EVENT_TYPES, renderEvent, type EventType } from '../events/render-event.ts';

/** A fact that partners are told: renders it once, keeps the bytes, and wakes delivery. */
export async function onPartnerEvent(deps: Deps, type: EventType, message: IncomingMessage): Promise<void> {
  const event = renderEvent(type, message.messageId, message.body);
  await receiveOnce(deps.db, message.messageId, (tx) => insertEvent(tx, message.messageId, type, event));
  deps.wakeDelivery();
}

/** One handler a type: the queue is bound to exactly the types that can be rendered. */
export function partnerEventHandlers(deps: Deps): Record<string, (message: IncomingMessage) => Promise<void>> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [type, (message: IncomingMessage) => onPartnerEvent(deps, type, message)]),
  );
}
