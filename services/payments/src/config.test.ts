import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { maskedConfig, readConfig } from '@pay/shared/config/config.ts';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { bankAccountsOf } from './acquirers/accounts.ts';
import { Config } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const TEST = {
  ENVIRONMENT: 'TEST',
  PORT: '0',
  PRIVATE_PORT: '0',
  DATABASE_URL: 'postgres://u:database-secret@h/d',
  AMQP_URL: 'amqp://u:broker-secret@h',
  FACT_SIGNING_KEYS: `notifier:k1:${KEY}`,
  INTERNAL_TOKEN_KEY: KEY,
  OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
  FORM_URL: 'https://pay.example/',
  ENCRYPTION_KEY: KEY,
  ENCRYPTION_KEY_ID: 'k1',
  BINDINGS_URL: 'http://127.0.0.1:4001',
  BINDINGS_INTERNAL_TOKEN_KEY: KEY,
  NOTIFIER_URL: 'http://127.0.0.1:4002',
  SANDBOX_BANK_URL: 'http://127.0.0.1:4000',
  SANDBOX_BANK_API_KEY: 'bank-secret-0123456789',
  CALLBACK_ALLOW_PRIVATE: 'true',
};
const LIVE = {
  ...TEST,
  ENVIRONMENT: 'LIVE',
  DATABASE_URL: 'postgres://u:database-secret@h/d?sslmode=verify-full',
  AMQP_URL: 'amqps://u:broker-secret@h',
  SANDBOX_BANK_URL: '',
  SANDBOX_BANK_API_KEY: '',
  CALLBACK_ALLOW_PRIVATE: '',
};

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const T_BANK = {
  T_BANK_TERMINAL_KEY: 'TestTerminalDEMO',
  T_BANK_PASSWORD: 'terminal-secret-1',
  T_BANK_CARD_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
};

describe('configuration', () => {
  it('has T-Bank off without a terminal, and on with all of its account', () => {
    expect(bankAccountsOf(readConfig(Config, LIVE)).tBank).toBeUndefined();
    const ours = { ...LIVE, ...T_BANK, BANK_NOTIFICATIONS_URL: 'https://pay.example/' };
    expect(bankAccountsOf(readConfig(Config, ours)).tBank).toMatchObject({
      url: 'https://securepay.tinkoff.ru',
      terminalKey: 'TestTerminalDEMO',
      notificationUrl: 'https://pay.example/notifications/t-bank',
    });
  });

  it('takes TEST with the sandbox bank and private callbacks, and LIVE without', () => {
    expect(readConfig(Config, TEST)).toMatchObject({ FORM_URL: 'https://pay.example', CALLBACK_ALLOW_PRIVATE: true });
    expect(readConfig(Config, LIVE)).toMatchObject({ ENVIRONMENT: 'LIVE', CALLBACK_ALLOW_PRIVATE: false });
  });

  it.each([
    ['CALLBACK_ALLOW_PRIVATE', { ...LIVE, CALLBACK_ALLOW_PRIVATE: 'true' }],
    ['SANDBOX_BANK_URL', { ...LIVE, SANDBOX_BANK_URL: 'https://bank.example' }],
    ['SANDBOX_BANK_API_KEY', { ...LIVE, SANDBOX_BANK_API_KEY: 'x'.repeat(20) }],
    ['FORM_URL', { ...LIVE, FORM_URL: 'http://pay.example' }],
    ['SANDBOX_BANK_URL', { ...TEST, SANDBOX_BANK_URL: '' }],
    ['ENCRYPTION_KEY', { ...TEST, ENCRYPTION_KEY: 'AAAA' }],
    ['ENCRYPTION_KEY', { ...TEST, ENCRYPTION_KEY: '' }],
    ['INTERNAL_TOKEN_KEY', { ...TEST, INTERNAL_TOKEN_KEY: '' }],
    ['SANDBOX_BANK_NOTIFICATION_KEY', { ...LIVE, SANDBOX_BANK_NOTIFICATION_KEY: KEY }],
    ['T_BANK_TERMINAL_KEY', { ...LIVE, T_BANK_TERMINAL_KEY: 'Terminal' }],
    ['T_BANK_CARD_KEY', { ...LIVE, ...T_BANK, T_BANK_CARD_KEY: KEY }],
    ['DATABASE_URL: must say sslmode=verify-full', { ...LIVE, DATABASE_URL: TEST.DATABASE_URL }],
    ['AMQP_URL: must be amqps', { ...LIVE, AMQP_URL: TEST.AMQP_URL }],
    ['BANK_NOTIFICATIONS_URL: must be https', { ...LIVE, BANK_NOTIFICATIONS_URL: 'http://pay.example' }],
    ['T_BANK_URL', { ...LIVE, ...T_BANK, T_BANK_URL: 'http://bank.example' }],
  ])('refuses a wrong %s, by name', (name, env) => {
    expect(() => readConfig(Config, env)).toThrow(name);
  });

  it('shows no secret when it is printed', () => {
    const printed = JSON.stringify(maskedConfig(Config, readConfig(Config, { ...TEST, ...T_BANK })));
    for (const secret of ['database-secret', 'broker-secret', 'bank-secret', 'terminal-secret', KEY]) expect(printed).not.toContain(secret);
  });
});
