import type { RequestHandler } from 'express';
import type { z } from 'zod';
import {
  countDeadLetters,
  listDeadLetters,
  readDeadLetter,
  readDeadLetterAge,
  readOutboxAge,
  redriveAll,
  redriveDeadLetter,
  type DeadLetter,
  type QueueAge,
  type Redriver,
} from './dead-letters.ts';
import type { Reader } from '../postgres/db.ts';
import { clock } from '../postgres/clock.ts';
import { jsonBody } from '../http/app.ts';
import { operatorOf, type OperatorRoutes } from '../operators/operator-of.ts';
import { readPosition, writePosition } from '../http/list-page.ts';
import type { PageTokens } from '../http/page-token.ts';
import { pathId } from '../http/path-id.ts';
import { validate, validateQuery } from '../http/validate.ts';
import {
  DeadLetterQuery,
  Redrive,
  type DeadLetter as DeadLetterRecord,
  type DeadLetterCount,
  type DeadLetterWithBody,
  type QueueAge as QueueAgeRecord,
  type Redriven,
} from './queue-schemas.ts';

/** What the routes of dead letters work with. */
export type QueueDeps = Redriver & { readonly pageTokens: PageTokens };

/** `GET /queues` of a service that only publishes. */
export function addOutboxRoute(routes: OperatorRoutes, reader: Reader): void {
  routes.get('/queues', 'overview.read', async (_req, res) => {
    res.json({ items: [renderAge(await readOutboxAge(reader))] });
  });
}

const OUTBOX_AND_DEAD_LETTERS = [readOutboxAge, readDeadLetterAge];

/** The operator routes of a service's queues: how much waits and since when, dead letters, and handling them again. */
export function addQueueRoutes(routes: OperatorRoutes, deps: QueueDeps, ages = OUTBOX_AND_DEAD_LETTERS): void {
  routes.get('/queues', 'overview.read', async (_req, res) => {
    res.json({ items: (await Promise.all(ages.map((age) => age(deps.db)))).map(renderAge) });
  });
  routes.get('/dead-letters', 'dead-letters.read', listRoute(deps));
  routes.post('/dead-letters/redrive', 'dead-letters.redrive', redriveAllRoute(deps));
  routes.get('/dead-letters/:deadLetterId', 'dead-letters.read', async (req, res) => {
    res.json(renderWithBody(await readDeadLetter(deps.db, pathId(req, 'deadLetterId'))));
  });
  routes.post('/dead-letters/:deadLetterId/redrive', 'dead-letters.redrive', async (req, res) => {
    res.json(renderWithBody(await redriveDeadLetter(deps, pathId(req, 'deadLetterId'), operatorOf(res).login)));
  });
}

function listRoute(deps: QueueDeps): RequestHandler {
  return async (req, res) => {
    const { limit, pageToken, order, status, type: wanted } = validateQuery(DeadLetterQuery, req.url);
    const scope = ['dead-letters', operatorOf(res).login, status, wanted, order];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const found = await listDeadLetters(deps.db, { filter: { status, type: wanted }, order, after }, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: last.diedAt, id: last.deadLetterId };
    res.json({ items: items.map(renderRecord), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

function redriveAllRoute(deps: QueueDeps): RequestHandler {
  return async (req, res) => {
    const asked = validate(Redrive, jsonBody(req));
    const answer: z.input<typeof Redriven> | z.input<typeof DeadLetterCount> =
      'upTo' in asked ? await redriveAll(deps, asked.type, asked.upTo, operatorOf(res).login) : await count(deps, asked.type);
    res.json(answer);
  };
}

async function count({ db }: QueueDeps, type: string | undefined): Promise<z.input<typeof DeadLetterCount>> {
  const upTo = await clock(db);
  return { total: await countDeadLetters(db, type, upTo), upTo: upTo.toISOString() };
}

const renderAge = ({ oldestAt, ...age }: QueueAge): z.input<typeof QueueAgeRecord> => ({
  ...age,
  oldestAt: oldestAt?.toISOString() ?? null,
});

function renderRecord({ body: _body, diedAt, redrivenAt, ...record }: DeadLetter): z.input<typeof DeadLetterRecord> {
  return { ...record, diedAt: diedAt.toISOString(), redrivenAt: redrivenAt?.toISOString() ?? null };
}

/** With the message as it was sent. Messages between services never contain what operators may not see. */
function renderWithBody(deadLetter: DeadLetter): z.input<typeof DeadLetterWithBody> {
  return { ...renderRecord(deadLetter), body: deadLetter.body.toString('utf8') };
}
