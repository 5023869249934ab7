import { z } from 'zod';
import { chargePeriod } from '@pay/contract/api/fields.ts';
import { cardExpiry, cardMask } from '@pay/contract/messages.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { createPeer, type PeerCall } from '@pay/shared/peer/peer.ts';

const moment = z.iso.datetime({ precision: 3 }).transform((text) => new Date(text));

const Binding = z.object({
  bindingId: z.uuid(),
  status: z.enum(['ACTIVE', 'REVOKED', 'EXPIRED']),
  period: chargePeriod,
  cardMask: cardMask.optional(),
  cardExpiry: cardExpiry.optional(),
  nextChargeAt: moment,
});

/** A binding as its buyer is shown it. Its state is the bindings service's, and asked for each time. */
export type BuyersBinding = Readonly<z.output<typeof Binding>>;

/** The binding, `absent` when there is none (yet), or `unavailable` when nobody answered. */
export type BindingAnswer = BuyersBinding | 'absent' | 'unavailable';

/** The bindings service, in one or several replicas. Nothing throws: who does not answer is `unavailable`. */
export type Bindings = {
  read(partnerId: string, bindingId: string): Promise<BindingAnswer>;
  /** Forbids further charges, at once. Safe to repeat; answers the state afterwards. */
  revoke(partnerId: string, bindingId: string): Promise<BindingAnswer>;
  close(): Promise<void>;
};

type Options = { readonly urls: readonly string[]; readonly tokenKey: Buffer; readonly log: Log };

/** All of a call: a buyer looks at an empty page meanwhile. */
const CALL_MS = 5_000;
/** Buyers look at a page now and then; each charge asks once. */
const CONNECTIONS_PER_REPLICA = 32;

export function createBindings({ urls, tokenKey, log }: Options): Bindings {
  const peer = createPeer({
    issuer: 'payments',
    name: 'bindings',
    urls,
    tokenKey,
    callMs: CALL_MS,
    connectionsPerReplica: CONNECTIONS_PER_REPLICA,
  });
  const ask = (call: PeerCall): Promise<BindingAnswer> =>
    peer.ask(call, readAnswer).catch((err: unknown) => {
      log.warn('bindings did not answer', { operation: call.operation, err });
      return 'unavailable' as const;
    });
  return {
    read: (partnerId, bindingId) =>
      ask({ operation: 'read', method: 'GET', path: `/internal/bindings/${bindingId}`, partnerId }),
    revoke: (partnerId, bindingId) =>
      ask({ operation: 'revoke', method: 'POST', path: `/internal/bindings/${bindingId}/revoke`, partnerId }),
    close: () => peer.close(),
  };
}

function readAnswer(status: number, answer: unknown): BindingAnswer {
  if (status === 404) return 'absent';
  if (status !== 200) throw new Error(`bindings answered ${String(status)}`);
  return Binding.parse(answer);
}
