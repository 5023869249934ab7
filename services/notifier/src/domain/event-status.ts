/**
 * The life of an event. WAITING: an attempt is due, running or planned. The other three are final, until an operator
 * sends the event again: DELIVERED (answered 200), REFUSED (a permanent 4xx), EXHAUSTED (the plan is used up).
 */
export const EVENT_STATUSES = ['WAITING', 'DELIVERED', 'REFUSED', 'EXHAUSTED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
