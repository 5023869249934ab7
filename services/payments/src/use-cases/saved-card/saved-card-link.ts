import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';

/**
 * The last part of the address where a buyer sees and revokes a saved card: the bindingId and a signature over it. Whoever
 * has the address may revoke the card, and nobody can forge one. It is valid while the signing key is known (current or
 * previous), and until the card's `link_expires_at`.
 */
export function writeSavedCardLink(deps: Deps, bindingId: string): string {
  return linkOf(keyOf(deps.encryptionKeys.current.key), bindingId);
}

/** The bindingId of a link that we signed; undefined for anything else. */
export function readSavedCardLink(deps: Deps, link: string): string | undefined {
  const [bindingId = ''] = link.split('.');
  const { current, previous } = deps.encryptionKeys;
  const isOurs = [current.key, ...previous.values()].some((key) => isSame(link, linkOf(keyOf(key), bindingId)));
  return isOurs ? bindingId : undefined;
}

function linkOf(key: Buffer, bindingId: string): string {
  return `${bindingId}.${createHmac('sha256', key).update(bindingId).digest('base64url')}`;
}

/** A separate key, derived from one that every replica has: links and tokens cannot be used to make each other. */
function keyOf(encryptionKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', encryptionKey, Buffer.alloc(0), 'saved-card link', 32));
}

/** Compares whole strings in constant time, so that a card has exactly one link. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
