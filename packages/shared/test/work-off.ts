import type { Loop } from '../src/time/loop.ts';

/** Runs one round of a loop and waits until what it started has finished. */
export async function workOff(loop: Loop): Promise<void> {
  await loop.round(new AbortController().signal);
  await loop.settled?.();
}
