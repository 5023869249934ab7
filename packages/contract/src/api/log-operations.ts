import { CallbackEvent, CallbackEventList, CallbackEventQuery, CallbackStreamQuery, CallbackEventStory } from './event-log.ts';
import type { Operation } from './operation.ts';
import { RequestLogList, RequestLogQuery, RequestStreamQuery } from './request-log.ts';

/** What was sent to the partner, and what the partner sent. */
export const LOG_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/events',
    operationId: 'listEvents',
    summary: "List the partner's events of the last 30 days, newest first",
    query: CallbackEventQuery,
    status: 200,
    response: CallbackEventList,
    errors: [],
  },
  {
    method: 'get',
    path: '/api/event-stream',
    operationId: 'streamEvents',
    summary:
      'Receive your events as they are stored, whatever becomes of their callbacks. Each has an id, the headers of a callback that is signed now and its body as text. The response ends after a minute: continue with `after`',
    query: CallbackStreamQuery,
    status: 200,
    response: undefined,
    errors: [],
  },
  {
    method: 'get',
    path: '/api/requests',
    operationId: 'listRequests',
    summary: 'TEST: list your requests of the last day, newest first, with the reason of each refusal. In LIVE 404',
    isTestOnly: true,
    query: RequestLogQuery,
    status: 200,
    response: RequestLogList,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/request-stream',
    operationId: 'streamRequests',
    summary: 'TEST: receive your requests as they are answered. The response ends after a minute: continue with `after`. In LIVE 404',
    isTestOnly: true,
    query: RequestStreamQuery,
    status: 200,
    response: undefined,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/events/{eventId}',
    operationId: 'readEvent',
    summary: 'Get an event with its body and its delivery attempts',
    status: 200,
    response: CallbackEventStory,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/api/events/{eventId}/replay',
    operationId: 'replayEvent',
    summary: 'Send an event again, whatever its status; at most 60 per minute',
    isIdempotent: true,
    status: 202,
    response: CallbackEvent,
    errors: ['NOT_FOUND', 'ENDPOINTS_NOT_CONFIGURED'],
  },
];
