import { sql } from 'drizzle-orm';
import type { Db, Reader } from '../postgres/db.ts';
import { selectRows } from '../postgres/select-rows.ts';
import { IDS_MAX } from './wire.ts';
import type { Owners } from './owners.ts';
import { arrayOf, partsOf, together, type Stretch } from '../outbox/parts.ts';

/** Facts that one service published and another never received. */
export type Missing = { readonly owner: string; readonly messageIds: readonly string[] };

export type Comparison = {
  /** The compared range: shorter than requested if the time or the limit ran out. */
  readonly looked: Stretch;
  /** Facts that their owners have stored for this range. */
  readonly published: number;
  /** By owner; owners with none are left out. */
  readonly missing: readonly Missing[];
};

type Options = {
  readonly db: Db;
  readonly owners: Owners;
  /** When to stop comparing, by `performance.now()`. */
  readonly untilMs: number;
  readonly stopping?: AbortSignal;
};

/** With this many missing, the next comparison finds the rest. */
const MISSING_MAX = 5_000;
/** The range that one statement on each side reads: some hundred milliseconds at a hundred facts per second. */
const STRIDE_MS = 6 * 3_600_000;
/** Lengths of the parts: a part that differs is split into shorter ones, until one has few enough ids to list. */
const PART_MS = [3_600_000, 60_000, 1_000, 10] as const;

/**
 * Compares what the owners of facts published with what this service received, oldest first: parts of time by count and
 * digest, and ids only where these differ. A dead letter counts as received.
 * @throws Error if an owner does not answer
 */
export async function compareFacts(options: Options, { fromMs, toMs }: Stretch): Promise<Comparison> {
  const found = { published: 0, missing: new Map<string, string[]>() };
  const count = () => [...found.missing.values()].reduce((sum, ids) => sum + ids.length, 0);
  let reached = fromMs;
  while (reached < toMs && count() < MISSING_MAX && !isOver(options)) {
    const next = Math.min(toMs, reached + STRIDE_MS);
    await look(options, { fromMs: reached, toMs: next }, 0, found);
    reached = next;
  }
  return {
    looked: { fromMs, toMs: reached },
    published: found.published,
    missing: [...found.missing].map(([owner, messageIds]) => ({ owner, messageIds })),
  };
}

const isOver = ({ untilMs, stopping }: Options): boolean => performance.now() >= untilMs || stopping?.aborted === true;

type Found = { published: number; readonly missing: Map<string, string[]> };

async function look(options: Options, stretch: Stretch, level: number, found: Found): Promise<void> {
  const { db, owners } = options;
  const partMs = PART_MS[level] ?? stretch.toMs - stretch.fromMs;
  const theirs = await Promise.all(owners.names.map((owner) => owners.parts(owner, stretch, partMs)));
  const [published, received] = [together(theirs), together([await partsOf(db, { table: sql`inbox` }, stretch, partMs)])];
  for (const part of published.values()) {
    if (level === 0) found.published += part.count;
    const own = received.get(part.fromMs);
    if (own?.count === part.count && own.digest === part.digest) continue;
    const within = { fromMs: part.fromMs, toMs: Math.min(stretch.toMs, part.fromMs + partMs) };
    if (part.count > IDS_MAX && level + 1 < PART_MS.length) await look(options, within, level + 1, found);
    else await lookAtIds(options, within, found);
  }
}

async function lookAtIds({ db, owners }: Options, stretch: Stretch, { missing }: Found): Promise<void> {
  for (const owner of owners.names) {
    const lacked = await notReceived(db, await owners.ids(owner, stretch));
    if (lacked.length > 0) missing.set(owner, [...(missing.get(owner) ?? []), ...lacked]);
  }
}

/** The ids that have neither taken effect here nor wait as dead letters for a person. */
async function notReceived(reader: Reader, messageIds: readonly string[]): Promise<string[]> {
  if (messageIds.length === 0) return [];
  const rows = await selectRows<{ id: string }>(
    reader,
    sql`select id from unnest(${arrayOf(messageIds)}) as id
    where not exists (select from inbox where message_id = id::uuid)
      and not exists (select from dead_letters where message_id = id and message_id <> '' and not refused)`,
  );
  return rows.map(({ id }) => id);
}

/** Asks the owners for what is missing. Returns how many they republish. @throws Error if an owner does not answer */
export async function askForMissing(owners: Owners, missing: readonly Missing[]): Promise<number> {
  let count = 0;
  for (const { owner, messageIds } of missing) {
    for (let at = 0; at < messageIds.length; at += IDS_MAX) {
      count += await owners.publishAgain(owner, { messageIds: messageIds.slice(at, at + IDS_MAX) });
    }
  }
  return count;
}
