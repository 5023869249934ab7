import { describe, expect, it } from '@jest/globals';
import { decrypt, encrypt, singleKey } from './encryption.ts';

const keys = singleKey('k1', Buffer.alloc(32, 1));
const plain = Buffer.from('what nobody should read');

describe('encryption', () => {
  it('opens what it closed, in the same context', () => {
    const closed = encrypt(keys, plain, 'row:1');
    expect(closed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
    expect(decrypt(keys, closed, 'row:1')).toEqual(plain);
  });

  it('says nothing by repetition: the same text is closed differently each time', () => {
    expect(encrypt(keys, plain, 'row:1')).not.toBe(encrypt(keys, plain, 'row:1'));
  });

  it('does not open a ciphertext that was moved to another row', () => {
    const closed = encrypt(keys, plain, 'row:1');
    expect(() => decrypt(keys, closed, 'row:2')).toThrow();
  });

  it.each([2, 3, 4])('does not open a text whose part %i was altered', (part) => {
    const parts = encrypt(keys, plain, 'row:1').split('.');
    const bytes = Buffer.from(parts[part] ?? '', 'base64url');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    expect(() => decrypt(keys, parts.with(part, bytes.toString('base64url')).join('.'), 'row:1')).toThrow();
  });

  it('does not take a shortened tag, which would be easier to forge', () => {
    const parts = encrypt(keys, plain, 'row:1').split('.');
    const short = Buffer.from(parts[3] ?? '', 'base64url').subarray(0, 4);
    expect(() => decrypt(keys, parts.with(3, short.toString('base64url')).join('.'), 'row:1')).toThrow();
  });

  it('reads with a previous key and writes with the current one', () => {
    const rotated = { current: { id: 'k2', key: Buffer.alloc(32, 2) }, previous: new Map([['k1', keys.current.key]]) };
    expect(decrypt(rotated, encrypt(keys, plain, 'row:1'), 'row:1')).toEqual(plain);
    expect(encrypt(rotated, plain, 'row:1')).toMatch(/^v1\.k2\./);
    expect(() => decrypt(keys, encrypt(rotated, plain, 'row:1'), 'row:1')).toThrow('encryption key k2 is not configured');
  });

  it('refuses what is not an encrypted value, and a key id with a point', () => {
    expect(() => decrypt(keys, 'plain text', 'row:1')).toThrow('not an encrypted value');
    expect(() => encrypt(singleKey('a.b', Buffer.alloc(32)), plain, 'row:1')).toThrow('key id');
  });
});
