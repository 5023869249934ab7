import type { z } from 'zod';
import { BuyersBinding as Binding } from '@pay/contract/answers.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { askJson, type JsonCall } from '@pay/shared/service-client/ask-json.ts';
import { createServiceClient } from '@pay/shared/service-client/service-client.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** A binding as shown to its buyer. The bindings service owns its state, and is asked each time. */
export type BuyersBinding = Readonly<z.output<typeof Binding>>;

/** The binding, `absent` if there is none (yet), or `unavailable` if the service did not answer. */
export type BindingAnswer = BuyersBinding | 'absent' | 'unavailable';

/** The client of the bindings service, in one or several replicas. Nothing throws: no answer is `unavailable`. */
export type Bindings = {
  read(partnerId: PartnerId, bindingId: string): Promise<BindingAnswer>;
  /** Forbids further charges at once. Safe to repeat; returns the state afterwards. */
  revoke(partnerId: PartnerId, bindingId: string): Promise<BindingAnswer>;
  close(): Promise<void>;
};

type Options = { readonly urls: readonly string[]; readonly tokenKey: Buffer; readonly log: Log };

/** A read takes one statement by key. A charge waits for it before it goes to the bank, so it must not use up the bank's time. */
export const READ_MS = 3_000;
/** Bindings notifies payments (3 s) before it answers, while the buyer looks at an empty page. */
export const REVOKE_MS = 5_000;

export function createBindings({ urls, tokenKey, log }: Options): Bindings {
  const client = createServiceClient({ issuer: 'payments', name: 'bindings', urls, tokenKey, log });
  const ask = (call: JsonCall): Promise<BindingAnswer> =>
    askJson(client, call, readAnswer).catch((err: unknown) => {
      log.warn('bindings did not answer', { operation: call.operation, err });
      return 'unavailable' as const;
    });
  return {
    read: (partnerId, bindingId) =>
      ask({
        lane: 'read',
        operation: 'read',
        method: 'GET',
        path: `/internal/bindings/${bindingId}`,
        partnerId,
        deadlineMs: READ_MS,
      }),
    revoke: (partnerId, bindingId) =>
      ask({
        lane: 'command',
        operation: 'revoke',
        method: 'POST',
        path: `/internal/bindings/${bindingId}/revoke`,
        partnerId,
        deadlineMs: REVOKE_MS,
      }),
    close: () => client.close(),
  };
}

function readAnswer(status: number, answer: unknown): BindingAnswer {
  if (status === 404) return 'absent';
  if (status !== 200) throw new Error(`bindings answered ${String(status)}`);
  return Binding.parse(answer);
}
