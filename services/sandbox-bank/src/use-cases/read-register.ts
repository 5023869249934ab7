import { listRegister, type RegisterPosition } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';
import { moveDue } from './current-operation.ts';

const DAY_MS = 24 * 3_600_000;

export type RegisterPage = { readonly operations: readonly Operation[]; readonly next: RegisterPosition | undefined };

/**
 * GET /v1/register: the current state of the operations created on this day (`2026-11-21`, UTC), oldest first, at most
 * `limit` after `after`; `next` is where the next page begins.
 */
export async function readRegister(
  deps: Deps,
  { date, after, limit }: { readonly date: string; readonly after: RegisterPosition | undefined; readonly limit: number },
): Promise<RegisterPage> {
  await moveDue(deps);
  const from = new Date(`${date}T00:00:00.000Z`);
  const found = await listRegister(deps.db, { from, to: new Date(from.getTime() + DAY_MS), after }, limit + 1);
  const operations = found.slice(0, limit);
  return { operations, next: found.length > limit ? operations.at(-1) : undefined };
}
