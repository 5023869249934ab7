import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, flag, key32, maskedConfig, readConfig, secret, serviceConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const schema = z.object({
  ...serviceConfig,
  TOKEN_KEY: secret(key32),
  OTHER_KEY: key32.optional(),
  API_PASSWORD: secret(z.string().min(8)).optional(),
  AMQP_URL: secret(z.string()).default('amqp://user:hunter2@broker'),
  VERBOSE: flag.default(false),
});
const GOOD = {
  ENVIRONMENT: 'TEST',
  PORT: '8080',
  PRIVATE_PORT: '0',
  DATABASE_URL: 'postgres://me:hunter2@db/pay',
  TOKEN_KEY: KEY,
};

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('the configuration was taken');
}

describe('readConfig', () => {
  it('reads, converts, defaults and freezes', () => {
    const config = readConfig(schema, { ...GOOD, VERBOSE: 'true', UNKNOWN: 'ignored' });
    expect(config).toMatchObject({ PORT: 8080, PRIVATE_PORT: 0, HOST: '127.0.0.1', LOG_LEVEL: 'info', VERBOSE: true });
    expect(config.TOKEN_KEY).toEqual(Buffer.alloc(32, 7));
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('lists every mistake at once', () => {
    const message = messageOf({ ENVIRONMENT: 'PROD', PORT: '70000', TOKEN_KEY: 'c2hvcnQ=', LOG_LEVEL: 'loud' });
    for (const name of ['ENVIRONMENT', 'PORT', 'PRIVATE_PORT', 'DATABASE_URL', 'TOKEN_KEY', 'LOG_LEVEL']) {
      expect(message).toMatch(new RegExp(`^ {2}${name}: `, 'm'));
    }
  });

  it('never prints a value', () => {
    const message = messageOf({ ...GOOD, DATABASE_URL: 'mysql://me:hunter2@db', API_PASSWORD: 'pass', PORT: 'x9y8z7' });
    expect(message).toContain('DATABASE_URL');
    expect(message).toContain('API_PASSWORD');
    for (const value of ['hunter2', 'mysql', 'x9y8z7']) expect(message).not.toContain(value);
  });

  it('takes an empty variable for an absent one', () => {
    expect(messageOf({ ...GOOD, DATABASE_URL: '' })).toMatch(/^ {2}DATABASE_URL: /m);
    expect(readConfig(schema, { ...GOOD, LOG_LEVEL: '' }).LOG_LEVEL).toBe('info');
  });

  it.each(['c2hvcnQ=', 'not base64!', Buffer.alloc(33).toString('base64'), KEY.replace('=', '')])(
    'takes only 32 bytes in padded base64 for a key, not %j',
    (TOKEN_KEY) => {
      expect(messageOf({ ...GOOD, TOKEN_KEY })).toMatch(/^ {2}TOKEN_KEY: /m);
    },
  );
});

describe('maskedConfig', () => {
  it('masks secrets, bytes, and secrets under optional and default; shows the rest', () => {
    const config = readConfig(schema, { ...GOOD, OTHER_KEY: KEY, API_PASSWORD: 'password1' });
    expect(maskedConfig(schema, config)).toEqual({
      ENVIRONMENT: 'TEST',
      HOST: '127.0.0.1',
      PRIVATE_HOST: '127.0.0.1',
      PORT: 8080,
      PRIVATE_PORT: 0,
      LOG_LEVEL: 'info',
      VERBOSE: false,
      DATABASE_URL: '***',
      TOKEN_KEY: '***',
      OTHER_KEY: '***',
      API_PASSWORD: '***',
      AMQP_URL: '***',
    });
  });
});

describe('secrets from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const fileOf = (text: string) => {
    const file = join(folder, randomUUID());
    writeFileSync(file, text);
    return file;
  };
  const rest = { ENVIRONMENT: 'TEST', PORT: '8080', PRIVATE_PORT: '0' };

  it.each(['', '\n', '\r\n'])('X_FILE names the file of a secret X; the line end %j at its end is none of it', (lineEnd) => {
    const config = readConfig(schema, {
      ...rest,
      DATABASE_URL_FILE: fileOf(`postgres://me:hunter2@db/pay${lineEnd}`),
      TOKEN_KEY_FILE: fileOf(`${KEY}${lineEnd}`),
    });
    expect([config.DATABASE_URL, config.TOKEN_KEY.toString('base64')]).toEqual(['postgres://me:hunter2@db/pay', KEY]);
  });

  it.each([
    [
      'both',
      { DATABASE_URL: GOOD.DATABASE_URL, DATABASE_URL_FILE: fileOf(GOOD.DATABASE_URL) },
      'is set, and so is DATABASE_URL_FILE; set only one',
    ],
    ['a file that is not there', { DATABASE_URL_FILE: join(folder, 'hunter2') }, 'DATABASE_URL_FILE cannot be read (ENOENT)'],
    ['a folder', { DATABASE_URL_FILE: folder }, 'DATABASE_URL_FILE cannot be read (EISDIR)'],
    ['an empty file', { DATABASE_URL_FILE: fileOf('\n') }, 'DATABASE_URL_FILE is empty'],
    ['too long a file', { DATABASE_URL_FILE: fileOf('x'.repeat(65_537)) }, 'DATABASE_URL_FILE is longer than 65536 bytes'],
  ])('refuses %s, in one line, without the value', (_title, change, says) => {
    const message = messageOf({ ...rest, TOKEN_KEY: KEY, ...change });
    expect(message).toBe(`The configuration is not valid:\n  DATABASE_URL: ${says}`);
  });

  it('only secrets come from files', () => {
    expect(readConfig(schema, { ...GOOD, LOG_LEVEL_FILE: fileOf('debug') }).LOG_LEVEL).toBe('info');
  });
});
