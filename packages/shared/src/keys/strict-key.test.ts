import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashes, Point, verify as nobleVerify } from '@noble/ed25519';
import { parseOpenSshKey, publicKeyOf, renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { keyFault } from './strict-key.ts';

const P = 2n ** 255n - 19n;
/** The generator of the eight points of small order (a point of order eight). */
const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const torsionPoints = Array.from({ length: 7 }, (_none, index) => TORSION.multiply(BigInt(index + 1), false));

const encode = (y: bigint, sign: 0n | 1n): Buffer => {
  const bytes = Buffer.from((y | (sign << 255n)).toString(16).padStart(64, '0'), 'hex');
  return bytes.reverse();
};
const canonical = [Point.ZERO, ...torsionPoints].map((point) => Buffer.from(point.toBytes()));
/** y at or above the field's prime, and a sign bit on x = 0: encodings of small-order points that no signer produces. */
const nonCanonical = [encode(1n, 1n), encode(P - 1n, 1n), encode(P, 0n), encode(P, 1n), encode(P + 1n, 0n), encode(P + 1n, 1n)];

hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

/** Verification by the rules of ZIP 215: the most lenient in use. */
function lenientVerify(signature: Buffer, message: Buffer, publicKey: Buffer): boolean {
  return nobleVerify(new Uint8Array(signature), new Uint8Array(message), new Uint8Array(publicKey), { zip215: true });
}

describe('keyFault', () => {
  it('the eight canonical small-order keys are eight (A16)', () => {
    expect(new Set(canonical.map((key) => key.toString('hex'))).size).toBe(8);
  });

  it.each(canonical.map((key) => [key.toString('hex'), key] as const))('refuses small-order key %s (A16)', (_hex, key) => {
    expect(keyFault(key)).toBe('small order');
  });

  it.each(nonCanonical.map((key) => [key.toString('hex'), key] as const))('refuses non-canonical key %s (A16)', (_hex, key) => {
    expect(keyFault(key)).toBe('not a canonical point');
  });

  it('these keys are dangerous: a lenient verifier takes a signature that nobody made under each (A16)', () => {
    const messages = Array.from({ length: 64 }, (_none, index) => Buffer.from(`message ${String(index)}`));
    // With S = 0 the equation is R = -hA: every R of small order is tried until the hash fits.
    const forgeries = canonical.map((r) => Buffer.concat([r, Buffer.alloc(32)]));
    for (const key of [...canonical, ...nonCanonical]) {
      const forged = messages
        .flatMap((message) => forgeries.map((signature) => ({ message, signature })))
        .find(({ message, signature }) => lenientVerify(signature, message, key));
      if (forged === undefined) throw new Error(`no forgery under ${key.toString('hex')}`);
      // The runtime's own verification, newer OpenSSL, refuses it too: two walls.
      expect(verify(null, forged.message, publicKeyOf(key), forged.signature)).toBe(false);
    }
  });

  it('refuses an honest key shifted by any of the seven small-order points (A17, A19)', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const honest = Point.fromBytes(new Uint8Array(parseOpenSshKey(renderOpenSshKey(publicKey)) ?? Buffer.alloc(0)));
    for (const shift of torsionPoints) expect(keyFault(Buffer.from(honest.add(shift).toBytes()))).toBe('mixed order');
  });

  it.each([
    ['not on the curve', Buffer.from('02'.padEnd(64, '0'), 'hex')],
    ['all ones', Buffer.alloc(32, 0xff)],
    ['31 bytes', Buffer.alloc(31, 1)],
    ['33 bytes', Buffer.alloc(33, 1)],
  ])('refuses %s (A19)', (_name, key) => {
    expect(keyFault(key)).toBe('not a canonical point');
  });

  it('a signature with S + L does not verify (A19)', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const message = Buffer.from('message');
    const signature = sign(null, message, privateKey);
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
    const malleable = Buffer.concat([signature.subarray(0, 32), encode(s, 0n)]);
    expect(verify(null, message, publicKey, signature)).toBe(true);
    expect(verify(null, message, publicKey, malleable)).toBe(false);
  });

  it('lets a hundred generated keys through', () => {
    for (let count = 0; count < 100; count += 1) {
      const bytes = parseOpenSshKey(renderOpenSshKey(generateKeyPairSync('ed25519').publicKey));
      expect(bytes === undefined ? 'unreadable' : keyFault(bytes)).toBeUndefined();
    }
  });
});
