import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { convertKey, generateKeys, inspectKey } from './keys.ts';
import { readIdentity } from './sign.ts';

// Written by `ssh-keygen -t ed25519`, for this test only: a key that protects nothing.
const OPENSSH = readFileSync(new URL('../test/openssh-ed25519', import.meta.url), 'utf8');
const OPENSSH_LINE = readFileSync(new URL('../test/openssh-ed25519.pub', import.meta.url), 'utf8').trim();
const OPENSSH_ENCRYPTED = readFileSync(new URL('../test/openssh-ed25519-encrypted', import.meta.url), 'utf8');

describe('keys', () => {
  it('a new pair is one that a client takes, and no two are alike', () => {
    const pair = generateKeys();
    expect(pair.privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(pair.publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/);
    expect(() => readIdentity({ partnerID: 'p', ...pair })).not.toThrow();
    expect(generateKeys().publicKey).not.toBe(pair.publicKey);
  });

  it('an OpenSSH private key becomes PKCS#8 with the public line that ssh-keygen wrote', () => {
    const pair = convertKey(OPENSSH);
    expect(pair.publicKey).toBe(OPENSSH_LINE.split(' ').slice(0, 2).join(' '));
    expect(() =>
      readIdentity({ partnerID: 'p', publicKey: OPENSSH_LINE, privateKeyPem: pair.privateKeyPem }),
    ).not.toThrow();
    expect(convertKey(pair.privateKeyPem)).toEqual(pair);
  });

  it('every form of one key has one fingerprint', () => {
    const pair = convertKey(OPENSSH);
    expect(inspectKey(OPENSSH)).toMatchObject({
      kind: 'OpenSSH private key',
      fingerprint: pair.fingerprint,
      isUsableAs: 'nothing: convert it',
    });
    expect(inspectKey(OPENSSH_LINE)).toMatchObject({
      kind: 'OpenSSH public key',
      fingerprint: pair.fingerprint,
      isUsableAs: 'public key',
    });
    expect(inspectKey(pair.privateKeyPem)).toMatchObject({
      kind: 'PKCS#8 private key',
      fingerprint: pair.fingerprint,
      isUsableAs: 'private key',
    });
    expect(pair.fingerprint).toBe('SHA256:ky/3DuHrwQui5pfGgA3eV++Tai7t7Fpohr/XvsqSVhw');
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString();
  it.each([
    ['an encrypted OpenSSH key, and says how to open it', OPENSSH_ENCRYPTED, 'ssh-keygen -p'],
    ['a cut OpenSSH key', OPENSSH.slice(0, 200), 'truncated'],
    ['an RSA key', rsa, 'type rsa'],
    ['an RSA line', 'ssh-rsa AAAAB3NzaC1yc2E= me', 'ssh-rsa'],
    ['a damaged line', 'ssh-ed25519 AAAA', 'corrupt'],
    ['a text that is no key', 'hello', 'neither'],
  ])('refuses %s', (_name, text, message) => {
    expect(() => inspectKey(text)).toThrow(message);
  });
});
