import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { laterOperationId } from './later-operation-id.ts';

it('a later order’s id is a UUIDv7 of the payment’s time, the same each time, and another for each card and payment', () => {
  const attempt = fc.integer({ min: 2, max: 5 });
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), fc.uuid({ version: 7 }), attempt, attempt, (one, other, first, second) => {
      const id = laterOperationId(one, first);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id.slice(0, 13)).toBe(one.slice(0, 13));
      expect(id).not.toBe(one);
      expect(laterOperationId(one, first)).toBe(id);
      expect(laterOperationId(one, second) === id).toBe(first === second);
      expect(laterOperationId(other, first) === id).toBe(one === other);
    }),
  );
});
