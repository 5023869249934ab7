import { createHash } from 'node:crypto';

/**
 * What a statement is prepared as: the same for the same text in every process, and for no other text. Behind a pooler two
 * processes share a session of PostgreSQL: names that are counted would have one run the other's statement.
 */
export function statementName(text: string): string {
  return `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
