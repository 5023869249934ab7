import { describe, expect, it } from '@jest/globals';
import { FORBIDDEN_CONTENT } from '@pay/shared/content/typed-text.ts';
import type { z } from 'zod';
import { otherStringsOf, requestWith, typedTextsOf, type JsonPath } from '../test/typed-texts.ts';
import { OPERATIONS } from './api/operations.ts';
import { OPERATOR_OPERATIONS } from './operator/operations.ts';

const REQUESTS = [...OPERATIONS, ...Object.values(OPERATOR_OPERATIONS).flat()].flatMap(({ operationId, request }) =>
  request === undefined ? [] : [{ operationId, request }],
);
const TEXTS = REQUESTS.flatMap(({ operationId, request }) =>
  typedTextsOf(request).map((path) => [operationId, path.join('.'), { request, path }] as const),
);

/** Why a request that has only `text`, at `path`, is refused at that path. */
function refusalsOf(request: z.ZodType, path: JsonPath, text: string): string[] {
  const issues = request.safeParse(requestWith(path, text)).error?.issues ?? [];
  return issues.filter((issue) => issue.path.join('.') === path.join('.')).map(({ message }) => message);
}

describe('texts that people type', () => {
  it.each(TEXTS)('%s: %s is found in the schema, and refuses a card number', (_operation, _field, { request, path }) => {
    expect(refusalsOf(request, path, 'card 5555 5555 5555 4444')).toEqual([FORBIDDEN_CONTENT]);
    expect(refusalsOf(request, path, 'tea')).toEqual([]);
  });

  it('are found however deep they are', () => {
    expect(TEXTS.map(([operation, field]) => `${operation} ${field}`)).toEqual(
      expect.arrayContaining([
        'createCardPayment description',
        'createCardPayment recurringConsent.reference',
        'createCardPayment receipt.items.0.name',
        'rejectWithdrawal reason',
      ]),
    );
  });

  it('are all strings without a form of their own, but for identifiers, addresses and keys', () => {
    const others = REQUESTS.flatMap(({ request }) => otherStringsOf(request)).map((path) => path.at(-1));
    expect([...new Set(others)].sort()).toEqual([
      'beneficiaryRef',
      'connector',
      'customerID',
      'merchantRefundId',
      'partnerID',
      'partnerId',
      'paymentPointID',
      'paymentPointId',
      'publicKey',
      'returnUrl',
      'routeId',
      'storeId',
      'type',
    ]);
  });
});
