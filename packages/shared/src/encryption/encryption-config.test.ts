import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, maskedConfig, readConfig } from '../config/config.ts';
import { encryptionConfig, encryptionKeysOf } from './encryption-config.ts';

const Schema = z.object(encryptionConfig);
const key = (fill: number) => Buffer.alloc(32, fill);
const env = (previous: string) => ({
  ENCRYPTION_KEY: key(1).toString('base64'),
  ENCRYPTION_KEY_ID: 'k2',
  ENCRYPTION_KEYS_PREVIOUS: previous,
});

describe('the encryption keys of a service', () => {
  it('one encrypts, those before it only decrypt', () => {
    const previous = `k1:${key(2).toString('base64')},k0:${key(3).toString('base64')}`;
    expect(encryptionKeysOf(readConfig(Schema, env(previous)))).toEqual({
      current: { id: 'k2', key: key(1) },
      previous: new Map([
        ['k1', key(2)],
        ['k0', key(3)],
      ]),
    });
    expect(encryptionKeysOf(readConfig(Schema, env(''))).previous.size).toBe(0);
  });

  it.each([['k1'], ['k1:'], [':AAAA'], [`k1:${Buffer.alloc(31).toString('base64')}`]])('refuses %j', (previous) => {
    expect(() => readConfig(Schema, env(previous))).toThrow(ConfigError);
  });

  it('are never printed', () => {
    const config = readConfig(Schema, env(`k1:${key(2).toString('base64')}`));
    expect(maskedConfig(Schema, config)).toEqual({
      ENCRYPTION_KEY: '***',
      ENCRYPTION_KEY_ID: 'k2',
      ENCRYPTION_KEYS_PREVIOUS: '***',
    });
  });
});
