import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { CONSUMERS, OPEN_WITHDRAWAL_STATUSES } from '@pay/contract/operator/states.ts';
import { may, type Action } from '@pay/shared/operators/roles.ts';
import type { Deps } from '../deps.ts';
import type { OperatedService } from '../operator-apis/operator-api.ts';
import { readerOf, signedInOf } from './operator-session.ts';

/** A service that has not answered by then is not counted: before the page would call the console slow. */
const ANSWER_MS = 1_000;

const Items = z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items.length);
const OPEN: ReadonlySet<string> = new Set(OPEN_WITHDRAWAL_STATUSES);
const OpenWithdrawals = z
  .object({ items: z.array(z.object({ status: z.string(), count: z.int() })) })
  .transform(({ items }) => items.reduce((sum, { status, count }) => (OPEN.has(status) ? sum + count : sum), 0));
const DeadLetters = z
  .object({ items: z.array(z.object({ queue: z.string(), waiting: z.int() })) })
  .transform(({ items }) => items.find(({ queue }) => queue === 'dead-letters')?.waiting ?? 0);

type Counted = {
  /** The name in the answer. Several with one name are added up. */
  readonly name: string;
  readonly action: Action;
  readonly service: OperatedService;
  readonly path: string;
  readonly count: z.ZodType<number>;
};

/** What waits for somebody, and where it is counted. Lists are counted up to their first page of a hundred. */
const COUNTED: readonly Counted[] = [
  { name: 'withdrawals', action: 'withdrawals.read', service: 'withdrawals', path: '/withdrawals/counts', count: OpenWithdrawals },
  { name: 'fundings', action: 'fundings.read', service: 'withdrawals', path: '/fundings?status=PROPOSED&limit=100', count: Items },
  { name: 'exceptions', action: 'exceptions.read', service: 'payments', path: '/exceptions?status=OPEN&limit=100', count: Items },
  { name: 'proposals', action: 'proposals.read', service: 'payments', path: '/proposals?status=PROPOSED&limit=100', count: Items },
  ...CONSUMERS.map(
    (service) => ({ name: 'dead-letters', action: 'dead-letters.read', service, path: '/queues', count: DeadLetters }) as const,
  ),
];

/**
 * GET /api/waiting: how much waits for somebody, by the page that shows it. Absent is what the role may not see, or what
 * a service did not say in time.
 */
export function countWaitingRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const signedIn = signedInOf(res);
    const seen = COUNTED.filter(({ action }) => may(signedIn.role, action));
    const counts = await Promise.all(
      seen.map(async ({ service, path, count }) => {
        const asked = deps.operatorApis[service]({ method: 'GET', path, operator: readerOf(signedIn) });
        const answer = await Promise.race([asked.catch(() => undefined), wait(ANSWER_MS, undefined, { ref: false })]);
        return answer?.status === 200 ? count.parse(JSON.parse(answer.text)) : undefined;
      }),
    );
    const waiting: Record<string, number> = {};
    const unknown = new Set(seen.filter((_one, index) => counts[index] === undefined).map(({ name }) => name));
    for (const [index, { name }] of seen.entries()) if (!unknown.has(name)) waiting[name] = (waiting[name] ?? 0) + (counts[index] ?? 0);
    res.set('Cache-Control', 'no-store').json(waiting);
  };
}
