import { describe, expect, it } from '@jest/globals';
import { maskedConfig, readConfig } from '@pay/shared/config/config.ts';
import { Config } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const TEST = {
  ENVIRONMENT: 'TEST', PORT: '0', PRIVATE_PORT: '0', DATABASE_URL: 'postgres://u:database-secret@h/d',
  AMQP_URL: 'amqp://u:broker-secret@h', INTERNAL_TOKEN_KEY: KEY, OPERATOR_TOKEN_KEY: KEY, FORM_PORT: '0',
  BINDINGS_URL: 'http://127.0.0.1:4001,http://127.0.0.1:4002/', BINDINGS_INTERNAL_TOKEN_KEY: KEY,
  FORM_URL: 'https://pay.example/', ENCRYPTION_KEY: KEY, ENCRYPTION_KEY_ID: 'k1',
  SANDBOX_BANK_URL: 'http://127.0.0.1:4000', SANDBOX_BANK_API_KEY: 'bank-secret-0123456789', CALLBACK_ALLOW_PRIVATE: 'true',
}; // prettier-ignore
const LIVE = {
  ...TEST,
  ENVIRONMENT: 'LIVE',
  SANDBOX_BANK_URL: '',
  SANDBOX_BANK_API_KEY: '',
  CALLBACK_ALLOW_PRIVATE: '',
};

describe('configuration', () => {
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
  ])('refuses a wrong %s, by name', (name, env) => {
    expect(() => readConfig(Config, env)).toThrow(name);
  });

  it('shows no secret when it is printed', () => {
    const printed = JSON.stringify(maskedConfig(Config, readConfig(Config, TEST)));
    for (const secret of ['database-secret', 'broker-secret', 'bank-secret', KEY])
      expect(printed).not.toContain(secret);
  });
});
