/**
 * Events that a partner is sent only after it switched them on, by their names in `extraEvents` of its integration
 * settings. The eight of the contract are sent to everybody. See spec/decisions#events-beyond-the-eight and ADR 0129.
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
