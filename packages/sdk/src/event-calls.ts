import type { CallbackEvent, CallbackEventStory, EventFilter, ListPage, TestCallback } from './types.ts';
import { answered, queryOf } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type CommandOptions = ReadOptions & { readonly idempotencyKey?: string };
type Request = (input: CommandOptions & { method: 'GET' | 'POST'; target: string }) => Promise<{ readonly json: unknown }>;

/** Your event log: what the service sent you, or tried to, in the last 30 days. */
export type EventCalls = {
  /** Newest first. */
  listEvents(filter?: EventFilter, options?: ReadOptions): Promise<ListPage<CallbackEvent>>;
  readEvent(eventId: string, options?: ReadOptions): Promise<CallbackEventStory>;
  /** Sends an event to your callbackUrl again, including one that was stored but never sent. At most 60 per minute. */
  replayEvent(eventId: string, options?: CommandOptions): Promise<CallbackEvent>;
  /** Sends the latest payment.completed again, to check your receiver. Once a minute. */
  sendTestCallback(options?: ReadOptions): Promise<TestCallback>;
};

/** These calls, sent with the client's signed request. */
export function eventCalls(request: Request): EventCalls {
  const get = async (target: string, given: ReadOptions = {}) => (await request({ ...given, method: 'GET', target })).json;
  return {
    async listEvents(filter = {}, given = {}) {
      return answered<ListPage<CallbackEvent>>(await get(`/api/events${queryOf(filter)}`, given), 'items');
    },
    async readEvent(eventId, given) {
      return answered<CallbackEventStory>(await get(`/api/events/${encodeURIComponent(eventId)}`, given), 'attempts');
    },
    async replayEvent(eventId, given) {
      const target = `/api/events/${encodeURIComponent(eventId)}/replay`;
      return answered<CallbackEvent>((await request({ ...given, method: 'POST', target })).json, 'eventId');
    },
    async sendTestCallback(given) {
      const target = '/api/integration/test-callback';
      return answered<TestCallback>((await request({ ...given, method: 'POST', target })).json, 'eventId');
    },
  };
}
