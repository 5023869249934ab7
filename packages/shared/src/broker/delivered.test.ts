import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, jest } from '@jest/globals';
import { createDelivered } from './delivered.ts';

afterEach(() => {
  jest.restoreAllMocks();
});
const idOf = (ms: number) => {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};

it('is as far as the slowest of what came within the last minutes, and nothing once nothing came (point 6)', () => {
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  const delivered = createDelivered();
  expect(delivered.upToMs()).toBeUndefined();
  for (const ms of [5_000, 3_000, 9_000]) delivered.note(idOf(ms));
  delivered.note(randomUUID());
  expect(delivered.upToMs()).toBe(3_000);
  clock.mockReturnValue(start + 61_000);
  delivered.note(idOf(10_000));
  expect(delivered.upToMs()).toBe(3_000);
  clock.mockReturnValue(start + 122_000);
  expect(delivered.upToMs()).toBe(10_000);
  clock.mockReturnValue(start + 300_000);
  expect(delivered.upToMs()).toBeUndefined();
});
