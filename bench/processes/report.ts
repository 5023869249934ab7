import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FromProcess, Seen, Usage } from './messages.ts';

/** Half of the finest lag that matters. */
const RESOLUTION_MS = 5;

/** Watches how late this process's event loop is: what it measures of others is wrong by that much. */
export function watchOwnUsage(): () => Usage {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return () => {
    const { user, system } = process.cpuUsage();
    const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    return {
      lagP99Ms: ms(delays.percentile(99)),
      lagMaxMs: ms(delays.max),
      cpuMs: (user + system) / 1_000,
      rssMiB: process.memoryUsage.rss() / 1_048_576,
    };
  };
}

/**
 * For a process of a bench: answers its parent's questions, and ends with it. Returns how to report what it saw; the
 * reports of one tick of the event loop leave together.
 */
export function reportToParent(): (seen: Seen) => void {
  const send = (message: FromProcess) => process.send?.(message);
  const usage = watchOwnUsage();
  let unsent: Seen[] = [];
  const flush = (): void => {
    if (unsent.length > 0) send({ kind: 'seen', seen: unsent });
    unsent = [];
  };
  process.on('message', () => {
    flush();
    send({ kind: 'usage', usage: usage() });
  });
  process.on('disconnect', () => process.exit(0));
  return (seen) => {
    if (unsent.length === 0) setImmediate(flush);
    unsent.push(seen);
  };
}
