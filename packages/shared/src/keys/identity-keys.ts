import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { parseOpenSshKey } from '@pay/signing/ed25519.ts';
import { keyFault } from './strict-key.ts';

/** `OPERATOR_IDENTITY_PRIVATE_KEY` of the console: an Ed25519 key as PKCS #8, DER in base64. */
export const identityPrivateKey = z.base64().transform((text, ctx) => {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, without a word of the key.
  }
  ctx.addIssue({ code: 'custom', message: 'must be an Ed25519 private key, PKCS #8 in base64' });
  return z.NEVER;
});

/** `OPERATOR_IDENTITY_PUBLIC_KEYS`: OpenSSH lines without comments, comma-separated; two during a key rotation. */
export const identityPublicKeys = z
  .string()
  .transform((text) => text.split(',').map((line) => line.trim()))
  .refine((lines) => lines.every(isSafeKey), 'must be OpenSSH lines of type ssh-ed25519 without comments, separated by commas');

function isSafeKey(line: string): boolean {
  const bytes = parseOpenSshKey(line);
  return bytes !== undefined && line.split(' ').length === 2 && keyFault(bytes) === undefined;
}
