import type { Express, Request } from 'express';
import type { z } from 'zod';
import type { SigningKeys } from '../broker/fact-signature.ts';
import { typesConsumedBy, type FactRoutes } from '../broker/topology.ts';
import type { Db } from '../postgres/db.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { jsonBody } from '../http/app.ts';
import { validate } from '../http/validate.ts';
import { internalTokenVerifier, type InternalTokenVerifier } from '../internal-auth/internal-token.ts';
import { publishAgain, publishedIds, publishedParts } from '../outbox/published.ts';
import { callKeyOf, factsAudience } from './call-key.ts';
import { PARTS_MAX, type Stretch } from '../outbox/parts.ts';
import { IDS_MAX, IdsAsked, Lacked, PartsAsked, type Count, type Ids, type Parts } from './wire.ts';

/** The owner of the facts, and the keys that verify each consumer's calls. */
export type FactsSource = {
  readonly db: Db;
  readonly producer: string;
  readonly facts: FactRoutes;
  readonly keys: SigningKeys;
};

/**
 * The routes for consumers of facts: how much was published of the types that they consume, the ids, and republishing.
 * Each caller sees only its own types. Must be added before the routes of the service's other callers, which have
 * different tokens.
 */
export function addFactsRoutes(app: Express, { db, producer, facts, keys }: FactsSource): void {
  const typesFor = typesOfCaller({ producer, facts, keys });
  app.post('/internal/facts/parts', async (req, res) => {
    const types = typesFor(req);
    const { partMs, ...stretch } = validate(PartsAsked, jsonBody(req));
    checkStretch(stretch);
    if (stretch.toMs - stretch.fromMs > partMs * PARTS_MAX) throw invalidField('partMs', 'makes too many parts');
    res.json({ parts: await publishedParts(db, types, stretch, partMs) } satisfies z.input<typeof Parts>);
  });
  app.post('/internal/facts/ids', async (req, res) => {
    const types = typesFor(req);
    const stretch = validate(IdsAsked, jsonBody(req));
    checkStretch(stretch);
    res.json({ messageIds: await publishedIds(db, types, stretch, IDS_MAX) } satisfies z.input<typeof Ids>);
  });
  app.post('/internal/facts/publish-again', async (req, res) => {
    const types = typesFor(req);
    const count = await publishAgain(db, types, validate(Lacked, jsonBody(req)));
    res.json({ count } satisfies z.input<typeof Count>);
  });
}

function checkStretch({ fromMs, toMs }: Stretch): void {
  if (toMs <= fromMs) throw invalidField('toMs', 'must be after fromMs');
}

/** The types of this producer that the caller consumes. @throws ApiError UNAUTHORIZED */
function typesOfCaller({ producer, facts, keys }: Omit<FactsSource, 'db'>): (req: Request) => readonly string[] {
  const callers = [...keys].map(([consumer, key]): { consumer: string; types: readonly string[]; verify: InternalTokenVerifier } => ({
    consumer,
    types: typesConsumedBy(facts, consumer).filter((type) => facts[type]?.owner === producer),
    verify: internalTokenVerifier(factsAudience(producer), callKeyOf(key)),
  }));
  return (req) => {
    const token = req.headers['x-internal-token'];
    const caller = callers.find(({ consumer, verify }) => typeof token === 'string' && verify(token) === consumer);
    if (caller === undefined) throw new ApiError('UNAUTHORIZED');
    return caller.types;
  };
}
