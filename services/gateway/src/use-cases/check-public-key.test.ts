import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { keyTexts, requestSigning } from '../../../../packages/signing/test/vectors.ts';
import { checkPublicKey } from './check-public-key.ts';

const LINE = requestSigning.publicKeyOpenSsh;

describe('a public key that is registered', () => {
  /** The key, or what its field is told. */
  const told = (text: string) => {
    try {
      return checkPublicKey(text).publicKey;
    } catch (error) {
      return error instanceof ApiError ? error.details?.[0]?.message : error;
    }
  };

  it.each(keyTexts.public)('$name (K5)', ({ text, says }) => {
    expect(told(text)).toBe(says === undefined ? LINE : keyTexts.sentences.public[says]);
  });

  it.each([
    ['without one', LINE, null],
    ['of one word', `${LINE} me@shop\n`, 'me@shop'],
    ['of words', ` ${LINE}   The  key of the shop `, 'The key of the shop'],
    ['in quotes', `"${LINE} me@shop"`, 'me@shop'],
    ['with a line feed as two characters', `${LINE} me@shop\\n`, 'me@shop'],
    ['in a line of its own, which is none', `# shop\n${LINE}\n# made today`, null],
  ])('its comment, %s', (_name, text, comment) => {
    expect(checkPublicKey(text).comment).toBe(comment);
  });
});
