import { sign, type KeyObject } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../postgres/db.ts';
import { selectRows } from '../postgres/select-rows.ts';
import type { Log } from '../logging/logger.ts';

/** Where a service writes the newest seals of its tables, in addition to its log. */
export type HeadsConfig = {
  readonly SEAL_HEADS_FOLDER?: string | undefined;
  readonly SEAL_SIGNING_KEY?: KeyObject | undefined;
};

/** The newest seal of a table at a moment: a line of JSON in `<schema>-heads.jsonl` and in the log. */
export const Head = z.object({
  at: z.string(),
  schema: z.string(),
  trail: z.string(),
  number: z.string().regex(/^\d{1,18}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Ed25519 over the four lines above it and the moment (`signedText`), base64. */
  signature: z.string().optional(),
});
export type Head = z.infer<typeof Head>;

/** The text that a head's signature covers. */
export const signedText = ({ at, schema, trail, number, hash }: Head): Buffer =>
  Buffer.from(['seal-head.v1', at, schema, trail, number, hash].join('\n'));

/** Writes the newest seal of each table to the log and, if configured, to the folder. Returns their number. */
export async function writeHeads(db: Db, log: Log, schema: string, config: HeadsConfig): Promise<number> {
  const rows = await selectRows<{ at: string; trail: string; number: string; hash: string }>(
    db,
    sql`
    select distinct on (trail) to_char(clock_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, trail,
      number::text as number, encode(hash, 'hex') as hash from seals order by trail, number desc`,
  );
  const heads = rows.map((row) => signed({ schema, ...row }, config.SEAL_SIGNING_KEY));
  for (const head of heads) log.info('newest seal of a trail', head);
  const { SEAL_HEADS_FOLDER: folder } = config;
  if (folder === undefined || heads.length === 0) return heads.length;
  await mkdir(folder, { recursive: true });
  const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join('');
  await appendFile(join(folder, `${schema}-heads.jsonl`), lines, { flush: true });
  return heads.length;
}

function signed(head: Head, key: KeyObject | undefined): Head {
  return key === undefined ? head : { ...head, signature: sign(null, signedText(head), key).toString('base64') };
}
