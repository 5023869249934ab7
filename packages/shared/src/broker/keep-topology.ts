import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, ChannelModel } from 'amqplib';
import type { Log } from '../logging/logger.ts';
import { topologyComplete } from '../telemetry/metrics.ts';

/** Somebody may delete an exchange or a binding under an open connection, which hears nothing of it. */
const CHECK_MS = 5_000;
/** Whose exchange is missing may be about to start. */
const RETRY_MS = 1_000;

type Options = {
  readonly model: ChannelModel;
  /** `consumer` or `relay`: what the metric and the log call it. */
  readonly part: 'consumer' | 'relay';
  /** Makes what is missing of one's own, and rejects while something of somebody else is missing. Safe to repeat. */
  readonly declare: (channel: Channel) => Promise<void>;
  readonly log: Log;
};

export type KeptTopology = {
  /** What the last look found: complete, or made complete. */
  readonly isComplete: boolean;
};

/**
 * Declares at once, and again every five seconds until the connection closes, on a channel of its own: what the broker
 * refuses closes that channel, and must not end the one that works. Never rejects. ADR 0090.
 */
export async function keepTopology({ model, part, declare, log }: Options): Promise<KeptTopology> {
  const closed = new AbortController();
  model.once('close', () => {
    closed.abort();
  });
  let isComplete: boolean | undefined;
  const look = async () => {
    const before = isComplete;
    isComplete = await declared(model, declare, (err) => {
      // Said once, not every second; the metric says how long.
      if (closed.signal.aborted || before === false) return;
      log.error('something is missing at the broker: facts wait until it is there', { part, err });
    });
    topologyComplete.set({ part }, isComplete ? 1 : 0);
    if (isComplete && before === false) log.info('the broker has all that was missing', { part });
  };
  const keep = async () => {
    for (;;) {
      await wait(isComplete === true ? CHECK_MS : RETRY_MS, undefined, { signal: closed.signal, ref: false });
      await look();
    }
  };
  await look();
  // Ends with the connection.
  keep().catch(() => undefined);
  return {
    get isComplete() {
      return isComplete === true && !closed.signal.aborted;
    },
  };
}

async function declared(
  model: ChannelModel,
  declare: Options['declare'],
  onMissing: (err: unknown) => void,
): Promise<boolean> {
  try {
    const channel = await model.createChannel();
    // Without a listener the refusal, which the call below rejects with, would end the process.
    channel.on('error', () => undefined);
    await declare(channel);
    await channel.close();
    return true;
  } catch (err) {
    onMissing(err);
    return false;
  }
}
