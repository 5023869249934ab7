import type { RequestHandler } from 'express';
import { z } from 'zod';
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
import { validate } from '../http/validate.ts';

const type = z.string().min(1).max(128);
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const Query = z.strictObject({
  status: z.enum(['WAITING', 'REDRIVEN']).optional(),
  type: type.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  pageToken: z.string().optional(),
});
const Path = z.object({ deadLetterId: z.uuid() });
/** `upTo` is what the count answered: only what was counted is handled again. */
const Redrive = z.union([
  z.strictObject({ dryRun: z.literal(true), type: type.optional() }),
  z.strictObject({ upTo: moment, type: type.optional() }),
]);

/** What the routes of dead letters work with. */
export type QueueDeps = Redriver & { readonly pageTokens: PageTokens };

/** `GET /queues` of a service that only publishes. */
export function addOutboxRoute(routes: OperatorRoutes, reader: Reader): void {
  routes.get('/queues', 'overview.read', async (_req, res) => {
    res.json({ items: [renderAge(await readOutboxAge(reader))] });
  });
}

const OUTBOX_AND_DEAD_LETTERS = [readOutboxAge, readDeadLetterAge];

/** The operators' routes of a service's queues: how long something waits, its dead letters, and having them handled again. */
export function addQueueRoutes(routes: OperatorRoutes, deps: QueueDeps, ages = OUTBOX_AND_DEAD_LETTERS): void {
  routes.get('/queues', 'overview.read', async (_req, res) => {
    res.json({ items: (await Promise.all(ages.map((age) => age(deps.db)))).map(renderAge) });
  });
  routes.get('/dead-letters', 'dead-letters.read', listRoute(deps));
  routes.post('/dead-letters/redrive', 'dead-letters.redrive', redriveAllRoute(deps));
  routes.get('/dead-letters/:deadLetterId', 'dead-letters.read', async (req, res) => {
    const { deadLetterId } = validate(Path, req.params);
    res.json(renderWhole(await readDeadLetter(deps.db, deadLetterId)));
  });
  routes.post('/dead-letters/:deadLetterId/redrive', 'dead-letters.redrive', async (req, res) => {
    const { deadLetterId } = validate(Path, req.params);
    res.json(renderWhole(await redriveDeadLetter(deps, deadLetterId, operatorOf(res).login)));
  });
}

function listRoute(deps: QueueDeps): RequestHandler {
  return async (req, res) => {
    const { limit, pageToken, status, type: wanted } = validate(Query, { ...req.query });
    const scope = ['dead-letters', operatorOf(res).login, status, wanted];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const found = await listDeadLetters(deps.db, { status, type: wanted }, after, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: last.diedAt, id: last.deadLetterId };
    res.json({ items: items.map(renderLetter), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

function redriveAllRoute(deps: QueueDeps): RequestHandler {
  return async (req, res) => {
    const asked = validate(Redrive, jsonBody(req));
    if ('upTo' in asked) {
      res.json(await redriveAll(deps, asked.type, asked.upTo, operatorOf(res).login));
      return;
    }
    const upTo = await clock(deps.db);
    res.json({ total: await countDeadLetters(deps.db, asked.type, upTo), upTo: upTo.toISOString() });
  };
}

const renderAge = ({ oldestAt, ...age }: QueueAge) => ({ ...age, oldestAt: oldestAt?.toISOString() ?? null });

function renderLetter({ body: _body, diedAt, redrivenAt, ...letter }: DeadLetter) {
  return { ...letter, diedAt: diedAt.toISOString(), redrivenAt: redrivenAt?.toISOString() ?? null };
}

/** With the message as it was sent. Messages between services never carry what must not be shown. */
const renderWhole = (letter: DeadLetter) => ({ ...renderLetter(letter), body: letter.body.toString('utf8') });
