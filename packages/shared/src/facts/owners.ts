import type { z } from 'zod';
import type { VerificationKeys } from '../broker/fact-signature.ts';
import { routeOf, typesConsumedBy, type FactRoutes } from '../broker/topology.ts';
import type { Log } from '../logging/logger.ts';
import type { Lacking } from '../outbox/published.ts';
import { askJson } from '../service-client/ask-json.ts';
import { createServiceClient, type ServiceClient } from '../service-client/service-client.ts';
import { callKeyOf, factsAudience } from './call-key.ts';
import type { Part, Stretch } from '../outbox/parts.ts';
import { Count, Ids, Parts } from './wire.ts';

/**
 * The services whose facts a consumer receives, and can ask about what they published. Every call takes at most six
 * seconds.
 */
export type Owners = {
  /** The consumer. */
  readonly consumer: string;
  readonly names: readonly string[];
  /** @throws Error if the owner does not answer */
  parts(owner: string, stretch: Stretch, partMs: number): Promise<readonly Part[]>;
  /** At most 1,000, oldest first. @throws Error if the owner does not answer */
  ids(owner: string, stretch: Stretch): Promise<readonly string[]>;
  /** Returns how many it republishes. @throws Error if the owner does not answer */
  publishAgain(owner: string, lacking: Lacking): Promise<number>;
  close(): Promise<void>;
};

type Options = {
  readonly consumer: string;
  readonly facts: FactRoutes;
  /** The keys that verify their facts: one of a producer's keys signs the calls to it. */
  readonly keys: VerificationKeys;
  /** The base addresses of each owner's replicas. */
  readonly urls: Readonly<Record<string, readonly string[]>>;
  readonly log: Log;
};

/** As long as a statement may take there, plus transport. */
const CALL_MS = 6_000;

type Question = { readonly lane: 'read' | 'command'; readonly name: string; readonly body: unknown };

/** @throws Error if an owner's address is missing from `urls`: a bug */
export function createOwners({ consumer, facts, keys, urls, log }: Options): Owners {
  const names = [...new Set(typesConsumedBy(facts, consumer).map((type) => routeOf(facts, type)?.owner ?? ''))].sort();
  const unknown = names.filter((name) => urls[name] === undefined);
  if (unknown.length > 0) throw new Error(`${consumer} consumes facts of ${unknown.join(', ')} but has no address for them`);
  const clients = new Map(names.map((name) => [name, clientsOf(name, { consumer, keys, urls, log })]));

  async function ask<T>(owner: string, question: Question, schema: z.ZodType<T>): Promise<T> {
    const { lane, name, body } = question;
    const path = `/internal/facts/${name}`;
    const call = { lane, operation: `facts ${name}`, method: 'POST', path, partnerId: consumer, deadlineMs: CALL_MS, body } as const;
    // During a key rotation the owner knows one of two keys: a rejected call is repeated with the other one.
    for (const client of clients.get(owner) ?? []) {
      const answer = await askJson(client, call, (status, json) => {
        if (status === 401) return undefined;
        if (status !== 200) throw new Error(`${owner} answered ${String(status)}`);
        return { value: schema.parse(json) };
      });
      if (answer !== undefined) return answer.value;
    }
    throw new Error(`${owner} rejected ${consumer}: they share no key`);
  }

  return {
    consumer,
    names,
    parts: async (owner, stretch, partMs) => (await ask(owner, { lane: 'read', name: 'parts', body: { ...stretch, partMs } }, Parts)).parts,
    ids: async (owner, stretch) => (await ask(owner, { lane: 'read', name: 'ids', body: stretch }, Ids)).messageIds,
    publishAgain: async (owner, lacking) => (await ask(owner, { lane: 'command', name: 'publish-again', body: lacking }, Count)).count,
    close: async () => {
      await Promise.all([...clients.values()].flat().map((client) => client.close()));
    },
  };
}

/** One for each key that the owner may have. */
function clientsOf(name: string, { consumer, keys, urls, log }: Omit<Options, 'facts'>): readonly ServiceClient[] {
  return [...(keys.get(name)?.values() ?? [])].map((key) =>
    createServiceClient({
      issuer: consumer,
      name: factsAudience(name),
      urls: urls[name] ?? [],
      tokenKey: callKeyOf({ key }),
      log,
    }),
  );
}
