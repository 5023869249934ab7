import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ApiError, invalidField } from './api-error.ts';
import { ERRORS, type ErrorCode } from './catalogue.ts';
import { errorsPage } from './errors-page.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe('the error catalogue', () => {
  it('19.6: is told to partners in docs/partners/errors.md; `node packages/shared/src/errors/write-errors-page.ts` writes its table', () => {
    const page = readFileSync(new URL('../../../../docs/partners/errors.md', import.meta.url), 'utf8');
    expect(page).toBe(errorsPage(page));
    const told = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) +\|/gm)].map(([, code, status]) => [code, Number(status)]);
    expect(told).toEqual(CODES.map((code) => [code, ERRORS[code].status]));
  });

  it('says exactly "unauthorized" for a 401', () => {
    expect(ERRORS.UNAUTHORIZED).toMatchObject({ status: 401, text: 'unauthorized' });
  });

  it('19.6: authentication, shape, key, existence, state', () => {
    const order: ErrorCode[] = ['UNAUTHORIZED', 'VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'NOT_FOUND', 'DUPLICATE_ORDER'];
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
