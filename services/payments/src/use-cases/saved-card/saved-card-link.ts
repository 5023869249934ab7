import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';

/**
 * The last part of the address where a buyer sees and revokes a saved card: the bindingId and a signature over it. Who
 * has the address may revoke, and nobody can make one. It opens while the key it was signed with is known (present or
 * previous), and until the card's `link_expires_at`.
 */
export function writeSavedCardLink(deps: Deps, bindingId: string): string {
  return linkOf(keyOf(deps.encryptionKeys.current.key), bindingId);
}

/** The bindingId of a link that we signed; undefined for any other text. */
export function readSavedCardLink(deps: Deps, link: string): string | undefined {
  const [bindingId = ''] = link.split('.');
  const { current, previous } = deps.encryptionKeys;
  const isOurs = [current.key, ...previous.values()].some((key) => isSame(link, linkOf(keyOf(key), bindingId)));
  return isOurs ? bindingId : undefined;
}

function linkOf(key: Buffer, bindingId: string): string {
  return `${bindingId}.${createHmac('sha256', key).update(bindingId).digest('base64url')}`;
}

/** Its own key, derived from one that every replica has anyway: no link opens a token, no token makes a link. */
function keyOf(encryptionKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', encryptionKey, Buffer.alloc(0), 'saved-card link', 32));
}

/** Compared whole and in constant time, so that one card has exactly one link. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
