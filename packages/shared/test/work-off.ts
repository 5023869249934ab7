import type { Loop } from '../src/time/loop.ts';

/** One round of a loop, and the end of what it began. */
export async function workOff(loop: Loop): Promise<void> {
  await loop.round(new AbortController().signal);
  await loop.settled?.();
}
