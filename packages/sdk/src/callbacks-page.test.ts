import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { EVENT } from '../test/callbacks.ts';
import { signTestCallback } from './callbacks.ts';

type IsAuthentic = (keys: ReadonlyMap<string, Buffer>, headers: Headers, rawBody: Buffer, nowSeconds: number) => boolean;

const page = readFileSync(new URL('../../../docs/partners/callbacks.md', import.meta.url), 'utf8');
const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
const { isAuthentic } = (await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`)) as {
  isAuthentic: IsAuthentic;
};

describe('the verification in docs/partners/callbacks.md', () => {
  const secret = Buffer.alloc(32, 7);
  const now = new Date('2026-11-20T10:00:00Z');
  const seconds = now.getTime() / 1000;
  const keys = new Map([['k1', secret]]);
  const { headers, body } = signTestCallback(EVENT, [{ keyId: 'k1', secret: secret.toString('base64') }], now);
  const rawBody = Buffer.from(body);

  it('accepts what the service sends, for five minutes', () => {
    expect(isAuthentic(keys, new Headers(headers), rawBody, seconds)).toBe(true);
    expect(isAuthentic(keys, new Headers(headers), rawBody, seconds + 300)).toBe(true);
    expect(isAuthentic(keys, new Headers(headers), rawBody, seconds + 301)).toBe(false);
  });

  it('refuses another body, another secret, and no signature', () => {
    expect(isAuthentic(keys, new Headers(headers), Buffer.concat([rawBody, Buffer.from(' ')]), seconds)).toBe(false);
    expect(isAuthentic(new Map([['k1', Buffer.alloc(32, 8)]]), new Headers(headers), rawBody, seconds)).toBe(false);
    expect(isAuthentic(keys, new Headers(), rawBody, seconds)).toBe(false);
  });
});
