import { listRegister } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';
import { settleDue } from './current-operation.ts';

const DAY_MS = 24 * 3_600_000;

/** GET /v1/register: every operation created on this day (`2026-11-21`, UTC), as it is now, oldest first. */
export async function readRegister(deps: Deps, date: string): Promise<readonly Operation[]> {
  await settleDue(deps);
  const from = new Date(`${date}T00:00:00.000Z`);
  return listRegister(deps.db, from, new Date(from.getTime() + DAY_MS));
}
