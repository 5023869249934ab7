import { randomUUID } from 'node:crypto';
import type { Log } from '../logging/logger.ts';
import { withRequestContext } from '../logging/request-context.ts';
import { loopRounds, roundsBegun } from '../telemetry/metrics.ts';
import { createPause, type Pause } from './pause.ts';

/** Work that a service repeats in the background. */
export type Loop = {
  readonly name: string;
  /** Pause between rounds; a round that reports more work is followed at once. */
  readonly intervalMs: number;
  /** Ends that pause when woken, for work that others announce. */
  readonly pause?: Pause;
  /** One bounded round. It should end soon after `stopping` is aborted. */
  readonly round: (stopping: AbortSignal) => Promise<RoundResult>;
  /** Waits for work that rounds started without awaiting it, if there is any; called at shutdown. */
  readonly settled?: () => Promise<void>;
};

/** `more`: work is left. `nextMs`: there will be some in this time, so that the pause is shorter than `intervalMs`. */
export type RoundResult = 'more' | 'done' | { readonly nextMs: number };

export type RunningLoop = {
  /** Starts the next round now, because there is known to be work. */
  wake(): void;
  /** Waits for the current round and for started work, then ends. */
  stop(): Promise<void>;
};

/** Runs a loop until stopped. A failed round is logged and retried after the pause, without affecting anything else. */
export function startLoop(loop: Loop, log: Log): RunningLoop {
  const stopping = new AbortController();
  const pause = loop.pause ?? createPause();
  const roundOnce = async (): Promise<RoundResult> => {
    roundsBegun.set(loop.name, performance.now());
    try {
      const result = await loop.round(stopping.signal);
      loopRounds.inc({ loop: loop.name, result: 'done' });
      return result;
    } catch (err) {
      loopRounds.inc({ loop: loop.name, result: 'failed' });
      log.error('loop round failed', { loop: loop.name, err });
      return 'done';
    } finally {
      roundsBegun.set(loop.name, NaN);
    }
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const result = await withRequestContext({ requestId: randomUUID() }, roundOnce);
      if (result === 'more') continue;
      const nextMs = result === 'done' ? loop.intervalMs : Math.min(result.nextMs, loop.intervalMs);
      await pause.wait(nextMs, stopping.signal);
    }
    await loop.settled?.();
  };
  const running = run();
  return {
    wake: pause.wake,
    stop() {
      stopping.abort();
      return running;
    },
  };
}
