import { madeAtMs } from '../identities/uuid-time.ts';

/** What was delivered first in this time, and in the one before, counts as recent. */
const WINDOW_MS = 60_000;

/** Up to when a queue was delivered. */
export type Delivered = {
  /** A message was delivered for the first time. Its id says when it was made. */
  note(messageId: string): void;
  /** Older messages have been delivered, because a queue is in order (milliseconds since 1970); undefined if none was recently. */
  upToMs(): number | undefined;
};

export function createDelivered(): Delivered {
  let [current, before] = [emptyWindow(), emptyWindow()];
  const rotate = () => {
    const age = performance.now() - current.startedMs;
    if (age < WINDOW_MS) return;
    [current, before] = [emptyWindow(), age < 2 * WINDOW_MS ? current : emptyWindow()];
  };
  return {
    note(messageId) {
      const madeMs = madeAtMs(messageId);
      if (madeMs === undefined) return;
      rotate();
      // Producers are not equally fast: the slowest counts.
      current.oldestMs = Math.min(current.oldestMs, madeMs);
    },
    upToMs() {
      rotate();
      const oldest = Math.min(current.oldestMs, before.oldestMs);
      return Number.isFinite(oldest) ? oldest : undefined;
    },
  };
}

const emptyWindow = () => ({ startedMs: performance.now(), oldestMs: Number.POSITIVE_INFINITY });
