import { z } from 'zod';
import type { VerificationKeys } from '../broker/fact-signature.ts';
import { routeOf, typesConsumedBy, type FactRoutes } from '../broker/topology.ts';
import type { Log } from '../logging/logger.ts';
import type { Lacking } from '../outbox/published.ts';
import { askJson } from '../service-client/ask-json.ts';
import { createServiceClient, type ServiceClient } from '../service-client/service-client.ts';
import { callKeyOf, factsAudience } from './call-key.ts';
import type { Part, Stretch } from '../outbox/parts.ts';

/** The services whose facts a consumer hears, to be asked about what they published. Every call takes six seconds at most. */
export type Owners = {
  /** Who consumes. */
  readonly consumer: string;
  readonly names: readonly string[];
  /** @throws Error where the owner does not answer */
  parts(owner: string, stretch: Stretch, partMs: number): Promise<readonly Part[]>;
  /** At most 1,000, the oldest first. @throws Error where the owner does not answer */
  ids(owner: string, stretch: Stretch): Promise<readonly string[]>;
  /** How many it publishes again. @throws Error where the owner does not answer */
  publishAgain(owner: string, lacking: Lacking): Promise<number>;
  close(): Promise<void>;
};

type Options = {
  readonly consumer: string;
  readonly facts: FactRoutes;
  /** What their facts are believed by: one of a producer's keys signs the calls to it. */
  readonly keys: VerificationKeys;
  /** The base addresses of each owner's replicas. */
  readonly urls: Readonly<Record<string, readonly string[]>>;
  readonly log: Log;
};

/** As long as a statement may take there, and the way to it. */
const CALL_MS = 6_000;

type Question = { readonly lane: 'read' | 'command'; readonly name: string; readonly body: unknown };

const Parts = z.object({
  parts: z.array(z.object({ fromMs: z.int(), count: z.int().positive(), digest: z.string().regex(/^-?\d+$/) })),
});
const Ids = z.object({ messageIds: z.array(z.guid()) });
const Count = z.object({ count: z.int().nonnegative() });

/** @throws Error where the address of somebody whose facts are heard is not among `urls`: a mistake in the program. */
export function createOwners({ consumer, facts, keys, urls, log }: Options): Owners {
  const names = [...new Set(typesConsumedBy(facts, consumer).map((type) => routeOf(facts, type)?.owner ?? ''))].sort();
  const unknown = names.filter((name) => urls[name] === undefined);
  if (unknown.length > 0) throw new Error(`${consumer} hears ${unknown.join(', ')} and does not know where they are`);
  const clients = new Map(names.map((name) => [name, clientsOf(name, { consumer, keys, urls, log })]));

  async function ask<T>(owner: string, question: Question, schema: z.ZodType<T>): Promise<T> {
    const { lane, name, body } = question;
    const path = `/internal/facts/${name}`;
    const call = { lane, operation: `facts ${name}`, method: 'POST', path, partnerId: consumer, deadlineMs: CALL_MS, body } as const; // prettier-ignore
    // While a key is changed the owner knows one of two: a call that it does not believe is made with the other one.
    for (const client of clients.get(owner) ?? []) {
      const answer = await askJson(client, call, (status, json) => {
        if (status === 401) return undefined;
        if (status !== 200) throw new Error(`${owner} answered ${String(status)}`);
        return { value: schema.parse(json) };
      });
      if (answer !== undefined) return answer.value;
    }
    throw new Error(`${owner} does not believe ${consumer}: they have no key in common`);
  }

  return {
    consumer,
    names,
    parts: async (owner, stretch, partMs) =>
      (await ask(owner, { lane: 'read', name: 'parts', body: { ...stretch, partMs } }, Parts)).parts,
    ids: async (owner, stretch) => (await ask(owner, { lane: 'read', name: 'ids', body: stretch }, Ids)).messageIds,
    publishAgain: async (owner, lacking) =>
      (await ask(owner, { lane: 'command', name: 'publish-again', body: lacking }, Count)).count,
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
