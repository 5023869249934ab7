import { describe, expect, it } from '@jest/globals';
import { nextLinkExpiry } from './saved-card-link.ts';

const NOW = new Date('2026-11-23T00:00:00.000Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

describe('until when a link to a saved card opens', () => {
  it.each([
    ['just saved', 400, true, undefined],
    ['opened within the month', 370, true, undefined],
    ['opened later', 369, true, 400],
    ['opened on its last day', 1, true, 400],
    ['ended long before', 400, false, 30],
    ['ended, seen before', 30, false, undefined],
    ['ended, seen a while ago', 12, false, undefined],
  ])('%s (L9)', (_title, left, isActive, next) => {
    expect(nextLinkExpiry(inDays(left), isActive, NOW)).toEqual(next === undefined ? undefined : inDays(next));
  });
});
