import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, ChannelModel } from 'amqplib';
import type { Log } from '../logging/logger.ts';
import { topologyComplete } from '../telemetry/metrics.ts';

/** An exchange or a binding may be deleted under an open connection, which is not notified. */
const CHECK_MS = 5_000;
/** The owner of a missing exchange may be about to start. */
const RETRY_MS = 1_000;

type Options = {
  readonly model: ChannelModel;
  /** `consumer` or `relay`: the name in metrics and logs. */
  readonly part: 'consumer' | 'relay';
  /** Creates what is missing of its own, and rejects while something of another service is missing. Safe to repeat. */
  readonly declare: (channel: Channel) => Promise<void>;
  readonly log: Log;
};

export type KeptTopology = {
  /** The result of the last check: complete, or made complete. */
  readonly isComplete: boolean;
};

/**
 * Declares at once, and again every five seconds until the connection closes. It uses a separate channel: a refusal by
 * the broker closes that channel, and must not close the working one. Never rejects. See decisions/outbox-and-relay.
 */
export async function keepTopology({ model, part, declare, log }: Options): Promise<KeptTopology> {
  const closed = new AbortController();
  model.once('close', () => {
    closed.abort();
    topologyComplete.set({ part }, 0);
  });
  let isComplete: boolean | undefined;
  const look = async () => {
    const before = isComplete;
    isComplete = await declared(model, declare, (err) => {
      // Logged once, not every second; the metric shows for how long.
      if (closed.signal.aborted || before === false) return;
      log.error('broker topology is incomplete, facts wait until it is restored', { part, err });
    });
    topologyComplete.set({ part }, isComplete && !closed.signal.aborted ? 1 : 0);
    if (isComplete && before === false) log.info('broker topology is complete again', { part });
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

async function declared(model: ChannelModel, declare: Options['declare'], onMissing: (err: unknown) => void): Promise<boolean> {
  try {
    const channel = await model.createChannel();
    // Without a listener the refusal, which the call below also rejects with, would end the process.
    channel.on('error', () => undefined);
    await declare(channel);
    await channel.close();
    return true;
  } catch (err) {
    onMissing(err);
    return false;
  }
}
