import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Tx } from './db.ts';
import { inTransaction } from './transaction.ts';

/** Between two looks: one statement each. */
const PAUSE_MS = 500;
/** How many are looked for at once in this process: during an outage each command that failed leaves one. */
const AT_ONCE_MAX = 64;

let looking = 0;

/** What a command may have left, and for how long it is held for that command alone. */
type Left = {
  readonly heldForMs: number;
  /** Lets others go on with it. False while it is not there: its COMMIT may still be under way. */
  readonly release: (tx: Tx) => Promise<boolean>;
};

/**
 * Lets others go on with what a command stored without learning of it: its COMMIT got no answer, its caller was told of a failure and
 * repeats it, and until its lease ends everybody would wait for a command that is over. Returns at once, and never throws. Call it
 * only if the command does nothing more.
 */
export function letGo(db: Db, { heldForMs, release }: Left): void {
  if (looking >= AT_ONCE_MAX) return;
  looking += 1;
  void look(db, performance.now() + heldForMs, release).finally(() => {
    looking -= 1;
  });
}

async function look(db: Db, until: number, release: Left['release']): Promise<void> {
  while (performance.now() < until) {
    // Without an answer it is looked for again. If it is never found, its lease ends, as after a crash.
    if (await inTransaction(db, release).catch(() => false)) return;
    await wait(PAUSE_MS, undefined, { ref: false });
  }
}
