/**
 * Events that a partner receives only after enabling them, by name, in `extraEvents` of its integration settings. The
 * eight events of the contract are sent to everyone. See spec/decisions#events-beyond-the-eight and
 * decisions/partner-events.
 */
export const EXTRA_EVENTS = [
  'binding.expired',
  'withdrawal.requested',
  'withdrawal.in_review',
  'withdrawal.approved',
  'withdrawal.completed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
  'withdrawal.failed',
  'register.ready',
  'withdrawal-register.ready',
] as const;
export type ExtraEvent = (typeof EXTRA_EVENTS)[number];
