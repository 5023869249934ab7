import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { NO_CARD } from '../acquiring/acquirer-result.ts';
import { decideRefundOutcome } from './refund-outcome.ts';
import { REFUND_MOVES } from './refund-status.ts';

const pending = { status: 'PENDING', amountKopecks: 100n, readCount: 0 } as const;
const confirmed = {
  kind: 'confirmed',
  bankOperationId: 'b',
  amountKopecks: 100n,
  currency: 'RUB',
  card: NO_CARD,
} as const;
const failed = (failureCode: string, bankOperationId: string | null = null) => ({ kind: 'fail', failureCode, bankOperationId });

describe('what the bank’s word about a refund means', () => {
  it.each([
    ['confirmed', pending, confirmed, { kind: 'complete', bankOperationId: 'b' }],
    ['confirmed with another amount', pending, { ...confirmed, amountKopecks: 99n }, { kind: 'mismatch' }],
    ['confirmed in another currency', pending, { ...confirmed, currency: 'USD' }, { kind: 'mismatch' }],
    [
      'declined',
      pending,
      { kind: 'declined', failureCode: 'REFUND_PERIOD_EXPIRED', bankOperationId: 'b', card: NO_CARD },
      failed('REFUND_PERIOD_EXPIRED', 'b'),
    ],
    ['the bank does not know the payment', pending, { kind: 'absent' }, failed('PROCESSING_ERROR')],
    [
      'the bank does not know the payment now, but a call before may have arrived (V2)',
      { ...pending, readCount: 1 },
      { kind: 'absent' },
      { kind: 'wait' },
    ],
    ['nothing left this process: FAILED at once', pending, { kind: 'not-sent' }, failed('PROCESSING_ERROR')],
    ['nothing left now, but a call before may have', { ...pending, readCount: 1 }, { kind: 'not-sent' }, { kind: 'wait' }],
    ['unknown', pending, { kind: 'unknown' }, { kind: 'wait' }],
    ['the bank works on it', pending, { kind: 'pending', bankOperationId: 'b', acsUrl: null, card: NO_CARD }, { kind: 'wait' }],
    [
      'a decline after COMPLETED',
      { ...pending, status: 'COMPLETED' },
      { kind: 'declined', failureCode: 'PROCESSING_ERROR', bankOperationId: 'b', card: NO_CARD },
      { kind: 'ignore' },
    ],
    ['a confirmation after FAILED', { ...pending, status: 'FAILED' }, confirmed, { kind: 'ignore' }],
  ] as const)('%s', (_title, refund, result, expected) => {
    expect(decideRefundOutcome(refund, result)).toMatchObject(expected);
  });
});

it('docs/partners/states.md lists the moves of a refund, and no other', () => {
  const page = readFileSync(new URL('../../../../../docs/partners/states.md', import.meta.url), 'utf8');
  const [, refund = ''] = page.split('## Refund\n');
  const [section = ''] = refund.split('\n## ');
  const rows = [...section.matchAll(/^\| ([A-Z]+) +\| ([A-Z]+) +\| (\S+) +\|/gm)].map(([, ...row]) => row);
  expect(rows).toEqual(
    Object.entries(REFUND_MOVES).flatMap(([from, table]) => Object.entries(table).map(([to, event]) => [from, to, event])),
  );
});
