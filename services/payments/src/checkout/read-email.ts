import { z } from 'zod';
import { containsCardData } from '@pay/shared/content/card-data.ts';

/** RFC 5321: the longest address that a mail server must accept. */
const CHARACTERS_MAX = 254;
const Email = z.email().max(CHARACTERS_MAX);

/**
 * The address that a buyer typed; undefined if it cannot be one, or has a card number in it. No list of addresses, no name beside it, no line
 * break: what passes is letters, digits and a few signs around one `@`.
 */
export function readEmail(typed: string): string | undefined {
  const { data } = Email.safeParse(typed.trim());
  return data === undefined || containsCardData(data) ? undefined : data;
}
