import { createHash } from 'node:crypto';

/**
 * The name that a statement is prepared under: the same for the same text in every process, and for no other text.
 * Behind a pooler two processes share a PostgreSQL session: with counted names one would run the other's statement.
 */
export function statementName(text: string): string {
  return `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
