import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ApiError, invalidField } from './api-error.ts';
import { ERRORS, type ErrorCode } from './catalogue.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe('the error catalogue', () => {
  it('is told to partners in docs/errors.md: the same codes, statuses and sentences, in the same order', () => {
    const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
    const rows = page.split('\n').flatMap((line) => {
      const [, code, status, text] = /^\| `([A-Z_]+)` +\| (\d{3}) +\| (.+?) +\|/.exec(line) ?? [];
      return code === undefined ? [] : [{ code, status: Number(status), text }];
    });
    expect(rows).toEqual(CODES.map((code) => ({ code, ...ERRORS[code] })));
  });

  it('says exactly "unauthorized" for a 401', () => {
    expect(ERRORS.UNAUTHORIZED).toEqual({ status: 401, text: 'unauthorized' });
  });

  it('answers the key before the order number, and both before the period', () => {
    const order: ErrorCode[] = [
      'UNAUTHORIZED',
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
      'DUPLICATE_ORDER',
    ];
    order.push('BINDING_REVOKED', 'BINDING_EXPIRED', 'PREVIOUS_CHARGE_NOT_FINISHED', 'PERIOD_NOT_ELAPSED');
    const places = order.map((code) => CODES.indexOf(code));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

describe('ApiError', () => {
  it('carries Retry-After with every 503', () => {
    const unavailable = CODES.filter((code) => ERRORS[code].status === 503);
    expect(unavailable).toEqual(['ROUTE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN']);
    expect(unavailable.map((code) => new ApiError(code).retryAfterSeconds)).toEqual([5, 5, 5]);
  });

  it('names one wrong field', () => {
    expect(invalidField('amount', 'must be greater than zero')).toMatchObject({
      code: 'VALIDATION_FAILED',
      status: 400,
      details: [{ field: 'amount', message: 'must be greater than zero' }],
    });
  });
});
