/**
 * The life of an event. WAITING: an attempt is due, running or planned. The others are final, until the event is sent
 * again on request: DELIVERED (answered 200), REFUSED (a permanent 4xx), EXHAUSTED (the plan is used up), NOT_CONFIGURED
 * (the partner had no address or no secret when it came).
 */
export const EVENT_STATUSES = ['WAITING', 'DELIVERED', 'REFUSED', 'EXHAUSTED', 'NOT_CONFIGURED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
