import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../postgres/db.ts';
import { compiledInsert } from '../postgres/fast/compiled.ts';
import { inOneRoundTrip } from '../postgres/fast/one-round-trip.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { inbox } from '../postgres/schema.ts';

/**
 * Runs `handle` at most once per message, in the transaction of its receipt: exactly once in effect. Returns false for
 * a repeat.
 */
export async function receiveOnce(db: Db, messageId: string, handle: (tx: Tx) => Promise<void>): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const first = await tx.insert(inbox).values({ messageId }).onConflictDoNothing().returning({ id: inbox.messageId });
    if (first.length === 0) return false;
    await handle(tx);
    return true;
  });
}

/** The statement that records a message, not sent yet. It fails for a repeat (a violated constraint), and with it what is sent with it. */
export const receiptStatement = (tx: Tx, messageId: string) => received(tx, { messageId });
const received = compiledInsert(inbox);

/** Records a message that changes nothing here, so that the inbox knows of every message whether it arrived. */
export async function noteReceived(db: Db, messageId: string): Promise<void> {
  await inOneRoundTrip(db, [sql`insert into inbox (message_id) values (${messageId}::uuid) on conflict do nothing`]);
}
