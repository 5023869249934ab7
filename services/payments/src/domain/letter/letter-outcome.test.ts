import { expect, it } from '@jest/globals';
import { decideLetter, LETTER_LIVES_MS, type Attempted, type LetterDecision } from './letter-outcome.ts';

const MINUTE = 60_000;
const failed: Attempted = { kind: 'failed', code: '451' };
const unanswered: Attempted = { kind: 'unanswered', code: 'ETIMEDOUT' };
const again = (minutes: number): LetterDecision => ({ kind: 'again', inMs: minutes * MINUTE });
const end = (status: 'SENT' | 'REFUSED' | 'GIVEN_UP'): LetterDecision => ({ kind: 'end', status });

it.each<[string, Attempted, number, number, LetterDecision]>([
  ['sent', { kind: 'sent' }, 1, 0, end('SENT')],
  ['sent at last', { kind: 'sent' }, 30, LETTER_LIVES_MS, end('SENT')],
  ['refused', { kind: 'refused', code: '550' }, 1, 0, end('REFUSED')],
  ['the first failure', failed, 1, 0, again(1)],
  ['the second', failed, 2, 0, again(5)],
  ['the third', failed, 3, 0, again(15)],
  ['the fourth', failed, 4, 0, again(60)],
  ['the fifth', failed, 5, 0, again(180)],
  ['handed over without an answer', unanswered, 1, 0, again(1)],
  ['handed over twice without an answer', unanswered, 2, 0, again(5)],
  ['handed over three times without an answer', unanswered, 3, 0, end('GIVEN_UP')],
  ['handed over without an answer, late', unanswered, 9, 0, end('GIVEN_UP')],
  ['a later one', failed, 20, 0, again(180)],
  ['the last that is still in time', failed, 20, LETTER_LIVES_MS - 180 * MINUTE - 1, again(180)],
  ['one whose next would be too late', failed, 20, LETTER_LIVES_MS - 180 * MINUTE, end('GIVEN_UP')],
])('%s', (_name, attempted, attemptCount, ageMs, expected) => {
  expect(decideLetter(attempted, { attemptCount, ageMs })).toEqual(expected);
});
