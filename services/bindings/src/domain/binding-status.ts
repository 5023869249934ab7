import { BINDING_STATUSES } from '@pay/contract/states.ts';

/** The event of each move for the partner; `binding.expired` is sent only to partners who switched it on. */
type BindingEvent = 'binding.revoked' | 'binding.expired';

/**
 * from: { to: event }. A move that is not listed does not exist. An expired binding may be revoked too: the contract
 * promises REVOKED after a revoke, and the buyer has that right. See spec/service-contract#binding-states.
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
