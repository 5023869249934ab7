import type { AuditedAction } from '../types.ts';

/** A text member of what an action recorded. */
function recorded(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([one]) => one === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** The address that a sign-in came from. */
export const addressOf = ({ after, requested }: AuditedAction): string | undefined =>
  recorded(after, 'address') ?? recorded(requested, 'address');

/** What was presented at a sign-in: a password, a code, a passkey. */
export const factorOf = ({ after, requested }: AuditedAction): string | undefined =>
  recorded(after, 'factor') ?? recorded(requested, 'factor');
