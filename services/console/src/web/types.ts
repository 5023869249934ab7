import type { ReceiverWithKeys } from '@pay/contract/operator/deliveries.ts';
import type { ChangeKind, ChangeStatus, SignInWith } from '../domain/account-change.ts';
import type { Role } from '@pay/shared/operators/roles.ts';

// Types of the console only. Records of services come from the contract.

/** A partner's callback address, with its keys when a single one is read. */
export type Receiver = Omit<ReceiverWithKeys, 'keys'> & Partial<Pick<ReceiverWithKeys, 'keys'>>;

export type Session = {
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly mustChangePassword: boolean;
  readonly mustSetUpSecondFactor: boolean;
};

export type Page<T> = { readonly items: readonly T[]; readonly nextPageToken: string | null };
export type List<T> = { readonly items: readonly T[] };

/** One action of the audit log. */
export type AuditedAction = {
  readonly position: string;
  readonly at: string;
  readonly requestId: string;
  readonly operator: string;
  readonly role: Role | 'none';
  readonly action: string;
  readonly subjectId: string;
  /** The HTTP status of the answer; null as long as the result is not known. */
  readonly status: number | null;
  readonly before: unknown;
  readonly requested: unknown;
  readonly after: unknown;
};

export type OperatorSession = {
  readonly sessionId: string;
  readonly login: string;
  readonly name: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly signedInAt: string;
  readonly lastUsedAt: string;
  readonly endsAt: string;
  /** The session that reads the list. */
  readonly isOwn: boolean;
};

export type OperatorAccount = {
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly disabledAt: string | null;
  readonly hasSecondFactor: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  /** Set after too many wrong passwords: none is checked before this time. */
  readonly lockedUntil: string | null;
  readonly createdAt: string;
};

export type AccountChange = {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly login: string;
  readonly role: Role | null;
  readonly signIn: SignInWith | null;
  readonly status: ChangeStatus;
  readonly proposedBy: string;
  readonly proposedAt: string;
  readonly decidedBy: string | null;
};

/** A bucket of time in a chart. */
export type Timed = { readonly at: string; readonly medianMs: number | null; readonly p95Ms: number | null };
