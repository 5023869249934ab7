import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashes, verify as nobleVerify } from '@noble/ed25519';
import fc from 'fast-check';
import { requestSigning, wycheproof } from '../test/vectors.ts';
import { fingerprintOf, parseOpenSshKey, parseSignature, publicKeyOf, renderOpenSshKey, verifyBytes } from './ed25519.ts';

const bytesOf = (line: string): Buffer => {
  const bytes = parseOpenSshKey(line);
  if (bytes === undefined) throw new Error('not an OpenSSH key');
  return bytes;
};

hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

/** noble's strict verification; it throws if the signature can't even be decoded. */
function secondOpinion(signature: Buffer, message: Buffer, publicKey: Buffer): boolean {
  const [sig, msg, key] = [signature, message, publicKey].map((bytes) => new Uint8Array(bytes));
  if (sig === undefined || msg === undefined || key === undefined) return false;
  try {
    return nobleVerify(sig, msg, key, { zip215: false });
  } catch {
    return false;
  }
}

describe('verification', () => {
  const cases = wycheproof.testGroups.flatMap((group) => group.tests.map((test) => ({ ...test, pk: group.publicKey.pk })));

  it('has all 151 Wycheproof cases (A18)', () => {
    expect(cases).toHaveLength(151);
  });

  it.each(cases)('Wycheproof $tcId is $result $comment (A18)', ({ pk, msg, sig, result }) => {
    expect(verifyBytes(publicKeyOf(pk), msg, sig)).toBe(result === 'valid');
  });

  it('agrees with a second implementation on 2,000 mutated signatures', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pk = bytesOf(renderOpenSshKey(publicKey));
    const message = Buffer.from('a request');
    const signature = sign(null, message, privateKey);
    const mutation = fc.array(fc.tuple(fc.nat(63), fc.nat(255)), { maxLength: 3 });
    let valid = 0;
    fc.assert(
      fc.property(mutation, fc.boolean(), (changes, otherMessage) => {
        const mutated = Buffer.from(signature);
        for (const [at, value] of changes) mutated[at] = value;
        const text = otherMessage ? Buffer.from('another request') : message;
        const ours = verifyBytes(publicKey, text, mutated);
        const second = secondOpinion(mutated, text, pk);
        expect(ours).toBe(second);
        expect(ours).toBe(!otherMessage && mutated.equals(signature));
        if (ours) valid += 1;
      }),
      { numRuns: 2_000 },
    );
    // Otherwise the two could agree by refusing everything.
    expect(valid).toBeGreaterThan(20);
  });
});

describe('parseOpenSshKey', () => {
  const line = requestSigning.publicKeyOpenSsh;
  const base64 = line.split(' ')[1] ?? '';
  const blob = Buffer.from(base64, 'base64');
  const withBlob = (bytes: Buffer) => `ssh-ed25519 ${bytes.toString('base64')}`;
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(blob);
    bytes[at] = value;
    return withBlob(bytes);
  };

  it('reads and renders the same line', () => {
    expect(renderOpenSshKey(publicKeyOf(bytesOf(line)))).toBe(line);
    expect(bytesOf(`${line} partner@host`)).toEqual(bytesOf(line));
  });

  it.each([
    ['ssh-rsa (A15)', `ssh-rsa ${base64}`],
    ['sk-ssh-ed25519 (A15)', `sk-ssh-ed25519@openssh.com ${base64}`],
    ['another type inside (A15)', changed(5, 0x74)],
    ['wrong length of the type (A15)', changed(3, 12)],
    ['wrong length of the key (A15)', changed(18, 31)],
    ['trailing bytes (A15)', withBlob(Buffer.concat([blob, Buffer.from([0])]))],
    ['a byte short (A15)', withBlob(blob.subarray(0, -1))],
    ['other padding (A14)', `ssh-ed25519 ${base64}=`],
    ['base64url (A14)', `ssh-ed25519 ${blob.subarray(0, 18).toString('base64')}${Buffer.alloc(33, 0xff).toString('base64url')}`],
    ['a line break (A14)', `ssh-ed25519 ${base64}\r\n`],
    ['two spaces (A14)', `ssh-ed25519  ${base64}`],
    ['a trailing space (A14)', `ssh-ed25519 ${base64} `],
    ['nothing', ''],
  ])('refuses %s', (_name, text) => {
    expect(parseOpenSshKey(text)).toBeUndefined();
  });
});

/** What `ssh-keygen -lf` prints for the key of the vectors. */
const FINGERPRINT = 'SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8';

describe('fingerprintOf', () => {
  it('is what ssh-keygen -lf prints, with or without a comment', () => {
    expect(fingerprintOf(requestSigning.publicKeyOpenSsh)).toBe(FINGERPRINT);
    expect(fingerprintOf(`${requestSigning.publicKeyOpenSsh} comment`)).toBe(FINGERPRINT);
  });
});

describe('parseSignature', () => {
  const good = Buffer.alloc(64, 7).toString('base64');
  it('reads 64 bytes', () => {
    expect(parseSignature(good)).toEqual(Buffer.alloc(64, 7));
  });
  it.each([
    ['0 bytes (A21)', ''],
    ['63 bytes (A21)', Buffer.alloc(63).toString('base64')],
    ['65 bytes (A21)', Buffer.alloc(65).toString('base64')],
    ['no padding', good.slice(0, -2)],
    ['base64url', Buffer.alloc(64, 0xfb).toString('base64url')],
    ['unused bits set', `${good.slice(0, 85)}x==`],
    ['a space', ` ${good}`],
  ])('refuses %s', (_name, text) => {
    expect(parseSignature(text)).toBeUndefined();
  });
});

describe('publicKeyOf', () => {
  it('is the key that OpenSSL reads from the same bytes', () => {
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytesOf(requestSigning.publicKeyOpenSsh)]);
    expect(publicKeyOf(bytesOf(requestSigning.publicKeyOpenSsh)).equals(createPublicKey({ key: spki, format: 'der', type: 'spki' }))).toBe(
      true,
    );
  });
});
