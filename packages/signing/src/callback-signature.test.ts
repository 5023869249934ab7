import { describe, expect, it } from '@jest/globals';
import { callbackSigning } from '../test/vectors.ts';
import { callbackIsSigned, callbackKey, signCallback } from './callback-signature.ts';

const keyOf = (keyId: string) => callbackKey(keyId, Buffer.from(callbackSigning.keys[keyId] ?? '', 'base64'));
const keyIdsOf = (header: string) => header.split(',').map((entry) => entry.slice(0, entry.indexOf(':')));

describe('callback signatures', () => {
  it.each(callbackSigning.cases)('$name: signs and verifies the vector', ({ timestamp, body, signature }) => {
    const keys = keyIdsOf(signature).map(keyOf);
    expect(signCallback(keys, timestamp, Buffer.from(body))).toBe(signature);
    for (const key of keys) expect(callbackIsSigned([key], signature, timestamp, Buffer.from(body))).toBe(true);
  });

  const [vector] = callbackSigning.cases;
  if (vector === undefined) throw new Error('there is no vector');
  const { timestamp, signature, body } = vector;
  const key = keyOf(keyIdsOf(signature)[0] ?? '');

  it.each([
    ['another body', signature, timestamp, `${body} `],
    ['another time', signature, '1790000001', body],
    ['an unknown key id', signature.replace('k_new', 'k_other'), timestamp, body],
    ['upper-case hex', signature.replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase()), timestamp, body],
    ['a digit short', signature.slice(0, -1), timestamp, body],
    ['another version', signature.replace('v1=', 'v0='), timestamp, body],
    ['nothing', '', timestamp, body],
  ])('refuses %s', (_name, header, at, text) => {
    expect(callbackIsSigned([key], header, at, Buffer.from(text))).toBe(false);
  });

  it('takes the one known key of several', () => {
    expect(callbackIsSigned([key], `k_x:v1=${'0'.repeat(64)}, ${signature}`, timestamp, Buffer.from(body))).toBe(true);
  });
});
