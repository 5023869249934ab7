import type { Role } from '@pay/shared/operators/roles.ts';

/** What can happen to an account that takes two administrators. Disabling does not: it takes rights and gives none. */
export const CHANGE_KINDS = ['create', 'role', 'enable', 'reset-second-factor', 'new-password'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
export type ChangeStatus = 'PROPOSED' | 'CONFIRMED' | 'REJECTED' | 'EXPIRED';
/** How somebody new signs in: a password of ours, or the company's own sign-in. */
export const SIGN_IN_WITH = ['password', 'company'] as const;
export type SignInWith = (typeof SIGN_IN_WITH)[number];

/** A proposal that nobody confirmed in this time is made anew: what was agreed by telephone was agreed then. */
export const PROPOSAL_HOURS = 24;
/** Who was made or reset by somebody decides nothing together with him for this long. */
export const INDEPENDENT_AFTER_HOURS = 24;
/** A first password that nobody used is good for nothing after this. */
export const FIRST_PASSWORD_HOURS = 72;

/** What the decision needs to know of a proposal, and of the two people. */
export type Proposal = {
  readonly status: ChangeStatus;
  readonly login: string;
  readonly proposedBy: string;
  /** Who proposed it is an administrator still. */
  readonly isProposerAdmin: boolean;
};
type Decider = { readonly login: string; readonly notIndependentOf: readonly string[] };

export type ChangeDecision =
  { readonly kind: 'move' } | { readonly kind: 'decided' } | { readonly kind: 'refused'; readonly text: string };

/**
 * Whether `by` may confirm or reject. A rejection gives nobody anything: any administrator may, also the one who
 * proposed it.
 */
export function decideChange(proposal: Proposal, to: 'CONFIRMED' | 'REJECTED', by: Decider): ChangeDecision {
  if (proposal.status !== 'PROPOSED') return { kind: 'decided' };
  if (to === 'REJECTED') return { kind: 'move' };
  const refused = (text: string): ChangeDecision => ({ kind: 'refused', text });
  if (by.login === proposal.proposedBy) return refused('another administrator confirms what you proposed');
  if (by.login === proposal.login) return refused('another administrator changes your account');
  if (!proposal.isProposerAdmin) return refused('who proposed this is no administrator any more');
  if (by.notIndependentOf.includes(proposal.proposedBy))
    return refused(
      `one of you made or reset the account of the other in the last ${String(INDEPENDENT_AFTER_HOURS)} hours`,
    );
  return { kind: 'move' };
}

/** What an account is like before a change of an existing one. */
type Subject = { readonly role: Role; readonly isDisabled: boolean; readonly hasPassword: boolean };
export type ExistingChange =
  { readonly kind: 'role'; readonly role: Role } | { readonly kind: 'enable' | 'reset-second-factor' | 'new-password' };

/** Why such a change would change nothing; undefined where it does. */
export function whyPointless(subject: Subject, change: ExistingChange): string | undefined {
  if (change.kind === 'role' && change.role === subject.role) return 'is the role already';
  if (change.kind === 'enable' && !subject.isDisabled) return 'signs in already';
  if (change.kind === 'new-password' && !subject.hasPassword) return 'signs in without a password';
  return undefined;
}
