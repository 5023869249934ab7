import type { ReactNode } from 'react';
import { words } from '../format.ts';

type Tone = 'good' | 'bad' | 'busy' | 'late' | 'quiet';

/** The colour of each state; others are neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  COMPLETED: 'good',
  CONFIRMED: 'good',
  DELIVERED: 'good',
  ACTIVE: 'good',
  REDRIVEN: 'good',
  RESOLVED: 'good',
  HEALTHY: 'good',
  REJECTED: 'bad',
  FAILED: 'bad',
  REFUSED: 'bad',
  REFUSING: 'bad',
  EXHAUSTED: 'bad',
  DEAD: 'bad',
  REVOKED: 'bad',
  CLOSED: 'bad',
  OPEN: 'bad',
  SUSPENDED: 'late',
  EXPIRED: 'late',
  FAILING: 'late',
  SLOW: 'late',
  APPROVED: 'late',
  REGISTERED: 'late',
  REQUESTED: 'busy',
  IN_REVIEW: 'busy',
  PROPOSED: 'busy',
  SUBMITTED: 'busy',
  PENDING: 'busy',
  CREATED: 'busy',
  WAITING: 'busy',
};

/** A state in words and in colour; the words alone are sufficient. */
export function State({ value, more }: { readonly value: string; readonly more?: string | null }): ReactNode {
  return (
    <span className={`state state-${TONES[value] ?? 'quiet'}`}>
      {words(value)}
      {more === undefined || more === null ? null : `: ${words(more).toLowerCase()}`}
    </span>
  );
}
