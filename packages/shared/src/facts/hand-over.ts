import { z } from 'zod';
import type { Express } from 'express';
import type { Handle } from '../broker/consume.ts';
import { signFact, type FactKey, type VerifyFact } from '../broker/fact-signature.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { jsonBody } from '../http/app.ts';
import { validate } from '../http/validate.ts';
import type { PartnerId } from '../identities/identities.ts';
import type { Log } from '../logging/logger.ts';
import type { Message } from '../outbox/outbox.ts';
import { askJson } from '../service-client/ask-json.ts';
import { createServiceClient } from '../service-client/service-client.ts';
import { callKeyOf, factsAudience } from './call-key.ts';

/** What a consumer is told; `body` is JSON, as it is signed. */
export const HandedOver = z.strictObject({
  messageId: z.guid(),
  type: z.string(),
  aggregateId: z.string(),
  occurredAt: z.string(),
  body: z.string(),
  signature: z.string(),
});

const PATH = '/internal/facts/handed-over';
/** One statement of the consumer; somebody waits for the answer. */
const HAND_OVER_MS = 3_000;

/** A fact of a partner that was committed to the outbox under this id. */
export type Committed = Message & { readonly messageId: string; readonly partnerId: PartnerId };

/**
 * Tells a consumer a fact before the caller is answered: a setting that is answered with 200 is in force, and no later fact overtakes
 * it. The broker brings the same message too; whichever comes second changes nothing.
 */
export type HandOver = {
  /** Resolves once the consumer has handled it. @throws Error if it did not, or if that is not known */
  readonly handOver: (fact: Committed) => Promise<void>;
  close(): Promise<void>;
};

type Options = {
  readonly producer: string;
  readonly consumer: string;
  /** The base addresses of the consumer's replicas. */
  readonly urls: readonly string[];
  /** The key that signs facts for the consumer. */
  readonly key: FactKey;
  readonly log: Log;
};

export function createHandOver({ producer, consumer, urls, key, log }: Options): HandOver {
  const name = factsAudience(consumer);
  const client = createServiceClient({ issuer: producer, name, urls, tokenKey: callKeyOf(key), log });
  return {
    handOver: async ({ messageId, type, aggregateId, partnerId, ...fact }) => {
      const occurredAt = fact.occurredAt.toISOString();
      const text = JSON.stringify(fact.payload);
      const told = { messageId, type, aggregateId, occurredAt };
      const signature = signFact({ ...told, body: Buffer.from(text) }, producer, consumer, key);
      const body = { ...told, body: text, signature } satisfies z.input<typeof HandedOver>;
      const call = {
        lane: 'command',
        operation: 'hand over',
        method: 'POST',
        path: PATH,
        partnerId,
        deadlineMs: HAND_OVER_MS,
        body,
      } as const;
      await askJson(client, call, (status) => {
        // A consumer of the version before this one asks for a token of another kind: there the broker alone brings it.
        if (status !== 200 && status !== 401) throw new Error(`${consumer} answered ${String(status)}`);
      });
    },
    close: () => client.close(),
  };
}

type Receiver = { readonly handlers: Readonly<Record<string, Handle>>; readonly verify: VerifyFact };

/**
 * The route that takes what `handOver` sends: the message's own signature says who sent it. Must be added before the routes of the
 * service's other callers, which have tokens.
 */
export function addHandedOverRoute(app: Express, { handlers, verify }: Receiver): void {
  app.post(PATH, async (req, res) => {
    const { body: text, signature, ...told } = validate(HandedOver, jsonBody(req));
    const refusal = verify({ ...told, body: Buffer.from(text) }, signature);
    if (refusal !== undefined) throw new ApiError('FORBIDDEN', { text: refusal });
    const handle = Object.hasOwn(handlers, told.type) ? handlers[told.type] : undefined;
    if (handle === undefined) throw invalidField('type', 'is not handled here');
    const body: unknown = JSON.parse(text);
    await handle({ ...told, body });
    res.json({});
  });
}
