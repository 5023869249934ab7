import { describe, expect, it } from '@jest/globals';
import { choosePoint, type PointToChoose } from './payment-point.ts';

const point = (paymentPointId: string, change: Partial<PointToChoose> = {}): PointToChoose => ({
  paymentPointId,
  status: 'ACTIVE',
  paymentMethods: ['CARD'],
  ...change,
});
const [a, b] = [point('a'), point('b')];
const suspended = point('s', { status: 'SUSPENDED' });
const closed = point('c', { status: 'CLOSED' });
const qr = point('q', { paymentMethods: ['SBP_DYNAMIC_QR'] });

describe('choosePoint', () => {
  it.each<[string, readonly PointToChoose[], string | undefined, string]>([
    ['the named one of several', [a, b], 'b', 'b'],
    ['the only one', [a], undefined, 'a'],
    ['the only active one', [a, suspended, closed], undefined, 'a'],
    ['several and none named', [a, b], undefined, 'several'],
    ['a card and a QR point and none named', [a, qr], undefined, 'several'],
    ['one that the partner has not', [a], 'x', 'not-found'],
    ['none at all', [], undefined, 'not-found'],
    ['a suspended one', [a, suspended], 's', 'suspended'],
    ['only a suspended one', [suspended, closed], undefined, 'suspended'],
    ['a suspended one that takes no cards', [point('s', { status: 'SUSPENDED', paymentMethods: [] })], 's', 'method-not-taken'],
    ['a closed one', [a, closed], 'c', 'not-found'],
    ['only a closed one', [closed], undefined, 'not-found'],
    ['one that takes no cards', [a, qr], 'q', 'method-not-taken'],
  ])('%s', (_title, points, wanted, expected) => {
    const choice = choosePoint(points, wanted, 'CARD');
    const said = {
      chosen: () => choice.kind === 'chosen' && choice.point.paymentPointId,
      suspended: () => 'suspended',
      refused: () => choice.kind === 'refused' && choice.why,
    };
    expect(said[choice.kind]()).toBe(expected);
  });
});
