import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { fenceJustTaken, LEASE_MS, MARGIN_MS } from './leases.ts';

const LOST = { leftMs: () => Promise.resolve(0) };

describe('the fence of a lease that was just taken', () => {
  it('asks nobody in the turn in which the lease was taken, and counts from before the statement was sent', async () => {
    const leftMs = await fenceJustTaken(LOST, performance.now() - 1_000).leftMs();
    expect(leftMs).toBeLessThanOrEqual(LEASE_MS - MARGIN_MS - 1_000);
    expect(leftMs).toBeGreaterThan(0);
  });

  it('asks the database as soon as anything else was awaited', async () => {
    const fence = fenceJustTaken(LOST, performance.now());
    await nextTurn();
    expect(await fence.leftMs()).toBe(0);
  });

  it('has no time left in a process that stood still for as long as the lease', async () => {
    expect(await fenceJustTaken({ leftMs: () => Promise.resolve(1) }, performance.now() - LEASE_MS).leftMs()).toBe(0);
  });
});
