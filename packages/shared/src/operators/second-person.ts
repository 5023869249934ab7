import type { OperatorLogin } from '../identities/identities.ts';
import type { Operator } from './operator-identity.ts';

/** The first of two people, as recorded when they acted. */
export type FirstPerson = { readonly login: OperatorLogin; readonly notIndependentOf: readonly OperatorLogin[] };

/**
 * Whether this operator may be the second of two people: a different account, and neither created, re-enabled, promoted
 * or reset the other's within a day. See spec/decisions#who-may-be-the-second-person.
 */
export function isSecondPerson(first: FirstPerson, second: Operator): boolean {
  return first.login !== second.login && !second.notIndependentOf.includes(first.login) && !first.notIndependentOf.includes(second.login);
}
