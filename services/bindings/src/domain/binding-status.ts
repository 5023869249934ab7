import { BINDING_STATUSES } from '@pay/contract/states.ts';

/** The event that the partner hears of a move; `binding.expired` only those who switched it on. */
type BindingEvent = 'binding.revoked' | 'binding.expired';

/**
 * from: { to: event }. A move that is not here does not exist. An expired binding may be revoked as well: the contract
 * promises that it is REVOKED after a revoke, and the buyer has that right. See spec/service-contract#binding-states.
 */
export const BINDING_MOVES = {
  ACTIVE: { REVOKED: 'binding.revoked', EXPIRED: 'binding.expired' },
  EXPIRED: { REVOKED: 'binding.revoked' },
  REVOKED: {},
} as const satisfies Record<BindingStatus, Partial<Record<BindingStatus, BindingEvent>>>;

export type BindingStatus = (typeof BINDING_STATUSES)[number];

/** The states from which `to` can be reached: the guard of every update that moves a binding. */
export function statusesBefore(to: BindingStatus): BindingStatus[] {
  return BINDING_STATUSES.filter((from) => Object.hasOwn(BINDING_MOVES[from], to));
}
