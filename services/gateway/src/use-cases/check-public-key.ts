import { z } from 'zod';
import { fingerprintOf, parseOpenSshKey } from '@pay/signing/ed25519.ts';
import { keyFault } from '@pay/shared/keys/strict-key.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { splitComment } from '../domain/public-key.ts';

/** Named after the field that it came in. */
const Comment = z.object({ publicKey: typedText('operator', 256).nullable() });

/**
 * Splits and checks a public key line.
 * @throws ApiError 400 for a line that is not ssh-ed25519, a key under which signatures can be forged, or a comment
 * with forbidden content
 */
export function checkPublicKey(line: string): { publicKey: string; comment: string | null; fingerprint: string } {
  const { publicKey, comment } = splitComment(line);
  const bytes = parseOpenSshKey(publicKey);
  if (bytes === undefined) throw invalidField('publicKey', 'must be an OpenSSH line of type ssh-ed25519');
  const fault = keyFault(bytes);
  if (fault !== undefined) throw invalidField('publicKey', `is not a safe Ed25519 key: ${fault}`);
  validate(Comment, { publicKey: comment });
  return { publicKey, comment, fingerprint: fingerprintOf(publicKey) };
}
