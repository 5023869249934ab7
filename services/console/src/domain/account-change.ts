import type { Role } from '@pay/shared/operators/roles.ts';

/** Account changes that take two administrators. Disabling does not: it only removes rights. */
export const CHANGE_KINDS = ['create', 'role', 'enable', 'reset-second-factor', 'new-password'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
export type ChangeStatus = 'PROPOSED' | 'CONFIRMED' | 'REJECTED' | 'EXPIRED';
/** How a new operator signs in: with one of our passwords, or the company's own sign-in. */
export const SIGN_IN_WITH = ['password', 'company'] as const;
export type SignInWith = (typeof SIGN_IN_WITH)[number];

/** An unconfirmed proposal expires after this time: what was agreed by telephone has to be agreed again. */
export const PROPOSAL_HOURS = 24;
/** How long a person may not decide together with whoever created or reset their account. */
export const INDEPENDENT_AFTER_HOURS = 24;
/** An unused first password expires after this. */
export const FIRST_PASSWORD_HOURS = 72;

/** The facts about a proposal and the two people that the decision needs. */
export type Proposal = {
  readonly status: ChangeStatus;
  readonly login: string;
  readonly proposedBy: string;
  /** The proposer is still an administrator. */
  readonly isProposerAdmin: boolean;
};
type Decider = { readonly login: string; readonly notIndependentOf: readonly string[] };

export type ChangeDecision = { readonly kind: 'move' } | { readonly kind: 'decided' } | { readonly kind: 'refused'; readonly text: string };

/**
 * Whether `by` may confirm or reject. A rejection grants nothing, so any administrator may reject, including the
 * proposer.
 */
export function decideChange(proposal: Proposal, to: 'CONFIRMED' | 'REJECTED', by: Decider): ChangeDecision {
  if (proposal.status !== 'PROPOSED') return { kind: 'decided' };
  if (to === 'REJECTED') return { kind: 'move' };
  const refused = (text: string): ChangeDecision => ({ kind: 'refused', text });
  if (by.login === proposal.proposedBy) return refused('another administrator must confirm what you proposed');
  if (by.login === proposal.login) return refused('another administrator must change your account');
  if (!proposal.isProposerAdmin) return refused('the proposer is no longer an administrator');
  if (by.notIndependentOf.includes(proposal.proposedBy))
    return refused(`one of you created or reset the other’s account in the last ${String(INDEPENDENT_AFTER_HOURS)} hours`);
  return { kind: 'move' };
}

/** An existing account before the change. */
type Subject = { readonly role: Role; readonly isDisabled: boolean; readonly hasPassword: boolean };
export type ExistingChange =
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'enable' | 'reset-second-factor' | 'new-password' };

/** Why the change would have no effect; undefined if it has one. */
export function whyPointless(subject: Subject, change: ExistingChange): string | undefined {
  if (change.kind === 'role' && change.role === subject.role) return 'is already the role';
  if (change.kind === 'enable' && !subject.isDisabled) return 'can already sign in';
  if (change.kind === 'new-password' && !subject.hasPassword) return 'does not sign in with a password';
  return undefined;
}
