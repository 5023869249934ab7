import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import { leftNow } from '../../../test/unfenced.ts';
import { fenceJustTaken, LEASE_MS, MARGIN_MS } from './leases.ts';

const LOST = { ask: () => Promise.resolve(leftNow(0)) };

describe('the fence of a lease that was just taken', () => {
  it('asks nobody in the tick in which the lease was taken, and counts from before the statement was sent', async () => {
    const { leftMs, ageMs } = await fenceJustTaken(LOST, () => 200).ask();
    expect([leftMs, ageMs()]).toEqual([LEASE_MS - MARGIN_MS, 200]);
  });

  it('asks the database as soon as anything else was awaited', async () => {
    const fence = fenceJustTaken(LOST, stopwatch());
    await nextTick();
    expect(await fence.ask()).toMatchObject({ leftMs: 0 });
  });

  it('asks the database if the answer took long, or the process or its machine stood still', async () => {
    expect(await fenceJustTaken(LOST, () => 300).ask()).toMatchObject({ leftMs: 0 });
  });
});
