import { describe, expect, it } from '@jest/globals';
import { takeFault, type Fault } from './fault.ts';

const fault = (change: Partial<Fault>): Fault => ({
  route: 'authorize',
  kind: 'drop',
  operationId: null,
  delayMs: 0,
  status: null,
  times: 1,
  ...change,
});
const call = { route: 'authorize', operationId: 'op-1' } as const;

describe('takeFault', () => {
  it.each([
    ['of this route', { route: 'authorize' }, true],
    ['of every route', { route: 'all' }, true],
    ['of another route', { route: 'charge' }, false],
    ['of this operation', { operationId: 'op-1' }, true],
    ['of another operation', { operationId: 'op-2' }, false],
  ] as const)('a fault %s', (_name, change, strikes) => {
    const { fault: struck, rest } = takeFault([fault(change)], call);
    expect(struck !== undefined).toBe(strikes);
    expect(rest).toHaveLength(strikes ? 0 : 1);
  });

  it('strikes as often as it was set for, then is gone', () => {
    const first = takeFault([fault({ times: 2 })], call);
    const second = takeFault(first.rest, call);
    const third = takeFault(second.rest, call);
    expect([first, second, third].map((taken) => taken.fault !== undefined)).toEqual([true, true, false]);
  });

  it('an outage strikes until it is cleared', () => {
    const outage = fault({ kind: 'outage', times: null });
    expect(takeFault([outage], call)).toEqual({ fault: outage, rest: [outage] });
  });

  it('the oldest that fits comes first; the others keep their order', () => {
    const [other, old, young] = [fault({ route: 'read' }), fault({ kind: 'drop' }), fault({ kind: 'error' })];
    expect(takeFault([other, old, young], call)).toEqual({ fault: old, rest: [other, young] });
  });
});
