import { asc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { history, type HistoryEvent } from './schema.ts';

export type HistoryEntry = { readonly event: HistoryEvent; readonly detail: string | null; readonly at: Date };

/** Records what happened, in this order. */
export async function appendHistory(
  tx: Tx,
  operationId: string,
  entries: readonly { readonly event: HistoryEvent; readonly detail?: string }[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.insert(history).values(entries.map((entry) => ({ operationId, ...entry })));
}

/** Everything that happened to an operation, oldest first. */
export async function listHistory(reader: Reader, operationId: string): Promise<readonly HistoryEntry[]> {
  return reader
    .select({ event: history.event, detail: history.detail, at: history.at })
    .from(history)
    .where(eq(history.operationId, operationId))
    .orderBy(asc(history.position));
}
