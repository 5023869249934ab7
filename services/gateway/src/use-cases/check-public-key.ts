import { z } from 'zod';
import { fingerprintOf, parseOpenSshKey } from '@pay/signing/ed25519.ts';
import { publicLineOfText } from '@pay/signing/key-text.ts';
import { keyFault } from '@pay/shared/keys/strict-key.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { commentBehind } from '../domain/public-key.ts';

/** Named after the field that it came in. */
const Comment = z.object({ publicKey: typedText('operator', 256).nullable() });

/**
 * Reads and checks a public key as somebody pasted it, and its comment.
 * @throws ApiError 400 for what is no public key of Ed25519, a key under which signatures can be forged, or a comment
 * with forbidden content
 */
export function checkPublicKey(text: string): { publicKey: string; comment: string | null; fingerprint: string } {
  const publicKey = readLine(text);
  const comment = commentBehind(publicKey, text);
  const fault = keyFault(parseOpenSshKey(publicKey) ?? Buffer.alloc(0));
  if (fault !== undefined) throw invalidField('publicKey', `is not a safe Ed25519 key: ${fault}`);
  validate(Comment, { publicKey: comment });
  return { publicKey, comment, fingerprint: fingerprintOf(publicKey) };
}

function readLine(text: string): string {
  try {
    return publicLineOfText(text);
  } catch (error) {
    throw invalidField('publicKey', error instanceof Error ? error.message : 'is no public key');
  }
}
