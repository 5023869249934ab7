import { randomUUID } from 'node:crypto';
import type { Log } from '../logging/logger.ts';
import { withRequestContext } from '../logging/request-context.ts';
import { createPause } from './pause.ts';

/** Work that a service does again and again beside its requests. */
export type Loop = {
  readonly name: string;
  /** Pause between rounds; a round that reports more work waiting is followed at once. */
  readonly intervalMs: number;
  /** One bounded round. `more` when it left work behind. It should end soon after `stopping` is aborted. */
  readonly round: (stopping: AbortSignal) => Promise<'more' | 'done'>;
  /** Waits for what rounds have begun and not waited for, where there is such: a stop does. */
  readonly settled?: () => Promise<void>;
};

export type RunningLoop = {
  /** Starts the next round now: somebody knows that there is work. */
  wake(): void;
  /** Waits for the running round, and for what rounds have begun, and ends. */
  stop(): Promise<void>;
};

/** Runs a loop until stopped. A failed round is logged and tried again after the pause; it ends nothing else. */
export function startLoop(loop: Loop, log: Log): RunningLoop {
  const stopping = new AbortController();
  const pause = createPause();
  const roundOnce = async (): Promise<'more' | 'done'> => {
    try {
      return await loop.round(stopping.signal);
    } catch (err) {
      log.error('loop round failed', { loop: loop.name, err });
      return 'done';
    }
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const result = await withRequestContext({ requestId: randomUUID() }, roundOnce);
      if (result === 'done') await pause.wait(loop.intervalMs, stopping.signal);
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
