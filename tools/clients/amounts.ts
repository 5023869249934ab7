import { parseRubToken } from '../../packages/shared/src/money/money.ts';

const rubles = (kopecks: number): string => `${String(Math.trunc(kopecks / 100))}.${String(kopecks % 100).padStart(2, '0')}`;

/** Every amount from 0.01 to 1000.00, and larger ones that 32 bits cannot hold. */
export const writeAmounts = (): string[] => [
  ...Array.from({ length: 100_000 }, (_none, index) => rubles(index + 1)),
  '200000.01',
  '999999.97',
  '1000000.00',
  '89999999999.99',
];

/** Those that the service would read as another amount, or not at all, after they went through a client. `passed` are JSON numbers. */
export const changed = (amounts: readonly string[], passed: readonly string[]): string[] =>
  amounts.filter((text, index) => parseRubToken(passed[index] ?? '') !== BigInt(text.replace('.', '')));
