import { expect, it } from '@jest/globals';
import { byDistance, mutated, mutationsOf } from './mutations.ts';

const SOURCE = `import { and, eq, lt } from 'drizzle-orm';

/** A type is no place: \`true\`. */
type Flag = true | 1;

export function mayCharge(due: number, now: number, flags: readonly boolean[], on: Flag): boolean {
  if (now < due) return false;
  log('charged ' + String(on));
  return flags.some((flag) => !flag) && guard(and(eq(a, b), lt(c, 2)));
}
`;

it('each place of a file is changed in each way that a test should notice', () => {
  const mutations = mutationsOf('charge.ts', SOURCE);
  expect(mutations.map(({ line, what }) => `${String(line)}: ${what}`)).toEqual([
    '7: true for now < due',
    '7: false for now < due',
    '7: <= for <',
    '7: >= for <',
    '7: true for false',
    "8: without log('charged ' + String(on));",
    '9: || for &&',
    '9: every for some',
    '9: no !',
    '9: without eq(a, b)',
    '9: without lt(c, 2)',
    '9: 2 + 1',
  ]);
});

it('a mutation changes its place and nothing else', () => {
  const [, , boundary] = mutationsOf('charge.ts', SOURCE);
  if (boundary === undefined) throw new Error('no mutation');
  expect(mutated(SOURCE, boundary)).toBe(SOURCE.replace('now < due', 'now <= due'));
});

it('the tests that import a change are tried first, those beside it before, and the others of its service behind them', () => {
  const [beside, importing, alsoBeside, asProcess, shared] = [
    'services/payments/src/domain/refund.test.ts',
    'services/payments/src/http/refunds.db.test.ts',
    'services/payments/src/domain/fee.test.ts',
    'services/payments/src/main.db.test.ts',
    'packages/shared/src/money.test.ts',
  ];
  expect(
    byDistance(
      'services/payments/src/domain/amount.ts',
      [shared, importing, beside],
      [asProcess, alsoBeside, beside, importing],
    ),
  ).toEqual([[beside], [importing], [alsoBeside], [asProcess], [shared]]);
});
