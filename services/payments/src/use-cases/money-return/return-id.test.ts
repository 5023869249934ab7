import { expect, it } from '@jest/globals';
import { returnIdOf } from './return-id.ts';

it('an id of ours stays; any other becomes the same UUID each time, another one on another route', () => {
  const ours = '019acbd4-7c00-7000-8000-000000000001';
  expect(returnIdOf('bank', ours)).toBe(ours);
  const made = returnIdOf('bank', 'R-77');
  expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(returnIdOf('bank', 'R-77')).toBe(made);
  expect(returnIdOf('other', 'R-77')).not.toBe(made);
});
