import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createOperationIds, markedAs } from './operation-ids.ts';

const key = randomBytes(32);
const [ours, again, others] = [createOperationIds(key), createOperationIds(key), createOperationIds(randomBytes(32))];

it('an installation knows the ids that it issued, in every process and after every restart, and nobody else’s', () => {
  for (let count = 0; count < 1_000; count += 1) {
    const id = ours.issue();
    expect([ours.isIssued(id), again.isIssued(id), others.isIssued(id)]).toEqual([true, true, false]);
    expect([others.issue(), randomUUIDv7(), randomUUID(), 'R-77', ''].map((other) => ours.isIssued(other))).toEqual(Array(5).fill(false));
  }
});

it('ids are UUIDv7 of their moment, in order, and each is another', () => {
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, () => ours.issue());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const at = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(at).toBeGreaterThanOrEqual(before);
  }
});

it('an id that is derived from an issued one and keeps its moment is issued, too', () => {
  const issued = ours.issue();
  const derived = markedAs(`${issued.slice(0, 13)}-7abc-8def-0123456789ab`, issued);
  expect([ours.isIssued(derived), others.isIssued(derived), derived === issued]).toEqual([true, false, false]);
});
