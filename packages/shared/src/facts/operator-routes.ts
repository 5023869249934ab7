import type { z } from 'zod';
import type { Db } from '../postgres/db.ts';
import { invalidField } from '../errors/api-error.ts';
import { jsonBody } from '../http/app.ts';
import { validate, validateQuery } from '../http/validate.ts';
import type { Log } from '../logging/logger.ts';
import { operatorOf, type OperatorRoutes } from '../operators/operator-of.ts';
import { askForMissing, compareFacts, type Comparison } from './compare.ts';
import { FactsRange, type FactsComparison, type FactsRepublished } from './operator-schemas.ts';
import type { Owners } from './owners.ts';
import type { Stretch } from '../outbox/parts.ts';
import { allKept } from './watch.ts';

/** Of one call; the answer says how far it came. */
const COMPARISON_MS = 6_000;
/** Ids in an answer, of each owner. */
const NAMED_MAX = 100;

export type FactsDeps = { readonly db: Db; readonly owners: Owners; readonly log: Log };

/** The operator routes of a service that consumes facts: compare what came with what was published, and republish what is missing. */
export function addFactsOperatorRoutes(routes: OperatorRoutes, { db, owners, log }: FactsDeps): void {
  const compare = (range: z.output<typeof FactsRange>) =>
    compareFacts({ db, owners, untilMs: performance.now() + COMPARISON_MS }, stretchOf(range));
  routes.get('/facts', 'facts.read', async (req, res) => {
    res.json(render(await compare(validateQuery(FactsRange, req.url))));
  });
  routes.post('/facts/republish', 'facts.republish', async (req, res) => {
    const comparison = await compare(validate(FactsRange, jsonBody(req)));
    const republished = await askForMissing(owners, comparison.missing);
    log.info('an operator had facts published again', { operator: operatorOf(res).login, republished });
    res.json({ ...render(comparison), republished } satisfies z.input<typeof FactsRepublished>);
  });
}

/** The part of the range that owners still keep. @throws ApiError VALIDATION_FAILED when nothing is left of it */
function stretchOf({ from, to }: z.output<typeof FactsRange>): Stretch {
  const kept = allKept();
  const stretch = {
    fromMs: Math.max(kept.fromMs, from?.getTime() ?? 0),
    toMs: Math.min(kept.toMs, to?.getTime() ?? kept.toMs),
  };
  if (stretch.fromMs >= stretch.toMs) throw invalidField('to', 'must be after from, within what is kept');
  return stretch;
}

function render({ looked, published, missing }: Comparison): z.input<typeof FactsComparison> {
  return {
    from: new Date(looked.fromMs).toISOString(),
    to: new Date(looked.toMs).toISOString(),
    published,
    missing: missing.map(({ owner, messageIds }) => ({
      owner,
      count: messageIds.length,
      messageIds: messageIds.slice(0, NAMED_MAX),
    })),
  };
}
