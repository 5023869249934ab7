import { verify, type KeyObject } from 'node:crypto';
import pg from 'pg';
import { hashOf, NO_HASH, rowSql, type Seal } from './chain.ts';
import { signedText, type Head } from './heads.ts';
import { SEALED_TABLES, type SealedTable } from './sealed-tables.ts';

/** The first deviation found in a sealed table. */
export type Breach = { readonly schema: string; readonly trail: string; readonly problem: string };
/** The content of a sealed table that agrees with its seals. */
export type Sound = {
  readonly schema: string;
  readonly trail: string;
  readonly rows: number;
  readonly seals: number;
  /** Written heads that were found among the seals. */
  readonly heads: number;
};

type Given = {
  readonly heads: readonly Head[];
  /** The key that must have signed every head. */
  readonly publicKey?: KeyObject | undefined;
};

/**
 * Checks every seal of every table from the first one on, and compares each sealed row. Read-only; needs SELECT on the
 * sealed tables and on `seals`. Rows that are not sealed yet are ignored.
 */
export async function verifySealedTables(url: string, given: Given): Promise<{ sound: Sound[]; breaches: Breach[] }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await verifyAll(client, given);
  } finally {
    await client.end();
  }
}

const CONNECT_TIMEOUT_MS = 10_000;

async function verifyAll(client: pg.ClientBase, given: Given): Promise<{ sound: Sound[]; breaches: Breach[] }> {
  const [sound, breaches]: [Sound[], Breach[]] = [[], []];
  await client.query(`begin isolation level repeatable read read only`);
  try {
    await client.query(`set local timezone = 'UTC'`);
    for (const [schema, tables] of Object.entries(SEALED_TABLES)) {
      await client.query(`set local search_path = ${pg.escapeIdentifier(schema)}`);
      for (const table of tables) {
        const heads = given.heads.filter((head) => head.schema === schema && head.trail === table.name);
        const found = await verifyTable(client, table, heads, given.publicKey);
        if (typeof found === 'string') breaches.push({ schema, trail: table.name, problem: found });
        else sound.push({ schema, trail: table.name, ...found });
      }
    }
  } finally {
    await client.query('rollback');
  }
  return { sound, breaches };
}

type SealRow = {
  readonly number: string;
  readonly columns: readonly string[];
  readonly positions: readonly string[];
  readonly digests: Buffer;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
};

async function verifyTable(
  client: pg.ClientBase,
  table: SealedTable,
  heads: readonly Head[],
  publicKey: KeyObject | undefined,
): Promise<Omit<Sound, 'schema' | 'trail'> | string> {
  const forged = heads.find((head) => publicKey !== undefined && !isSigned(head, publicKey));
  if (forged !== undefined) return `the head of seal ${forged.number} (${forged.at}) is not signed by that key`;
  const hashes = new Map<string, string>();
  let [rows, last, previousHash] = [0, 0n, NO_HASH];
  for (let number = 1n; ; number += 1n) {
    const seal = await readSeal(client, table, number);
    if (seal === undefined) break;
    const problem = sealProblem(seal, previousHash, last) ?? (await rowProblem(client, table, seal, last));
    if (problem !== undefined) return problem;
    previousHash = hashOf(seal);
    hashes.set(number.toString(), previousHash.toString('hex'));
    last = seal.positions.at(-1) ?? last;
    rows += seal.positions.length;
  }
  const lost = heads.find((head) => hashes.get(head.number) !== head.hash);
  if (lost !== undefined) {
    const what = hashes.has(lost.number) ? 'is another one now' : 'is gone';
    return `seal ${lost.number}, whose head was written at ${lost.at}, ${what}: rows and seals were rewritten`;
  }
  const more = await client.query<{ number: string }>(
    'select number::text as number from seals where trail = $1 and number > $2 order by number limit 1',
    [table.name, hashes.size],
  );
  if (more.rows[0] !== undefined) return `seal ${String(hashes.size + 1)} was removed`;
  return { rows, seals: hashes.size, heads: heads.length };
}

async function readSeal(client: pg.ClientBase, table: SealedTable, number: bigint): Promise<(Seal & { hash: Buffer }) | undefined> {
  const { rows } = await client.query<SealRow>(
    'select number::text as number, columns, positions::text[] as positions, digests, previous_hash, hash from seals where trail = $1 and number = $2',
    [table.name, number.toString()],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const count = row.digests.length / 32;
  return {
    trail: table.name,
    number,
    columns: row.columns,
    positions: row.positions.map(BigInt),
    digests: Array.from({ length: count }, (_none, index) => row.digests.subarray(index * 32, index * 32 + 32)),
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

function sealProblem(seal: Seal & { hash: Buffer }, previousHash: Buffer, last: bigint): string | undefined {
  const inOrder = seal.positions.every((position, index) => position > (seal.positions[index - 1] ?? last));
  const isWhole = seal.positions.length > 0 && seal.positions.length === seal.digests.length && inOrder;
  if (isWhole && seal.previousHash.equals(previousHash) && hashOf(seal).equals(seal.hash)) return undefined;
  return `seal ${seal.number.toString()} (rows ${String(seal.positions[0])} to ${String(seal.positions.at(-1))}) was changed`;
}

/** The first row, from the one after `last` to the seal's last, that differs from what was sealed. */
async function rowProblem(client: pg.ClientBase, table: SealedTable, seal: Seal, last: bigint): Promise<string | undefined> {
  const row = rowSql(table, 'key = any($3)');
  const { rows } = await client.query<{ position: string; digest: Buffer }>(
    `select t.${table.position}::text as position, ${row.digest} as digest from ${row.from}
     where t.${table.position} > $1 and t.${table.position} <= $2 order by t.${table.position}`,
    [last.toString(), String(seal.positions.at(-1)), seal.columns],
  );
  const there = new Map(rows.map(({ position, digest }) => [BigInt(position), digest]));
  const sealed = new Map(seal.positions.map((position, index) => [position, seal.digests[index]]));
  const all = [...new Set([...there.keys(), ...sealed.keys()])].sort((a, b) => (a < b ? -1 : 1));
  for (const position of all) {
    const [now, then] = [there.get(position), sealed.get(position)];
    if (then === undefined) return `row ${position.toString()} was inserted among sealed ones`;
    if (now === undefined) return `row ${position.toString()} was removed`;
    if (!now.equals(then)) return `row ${position.toString()} was changed`;
  }
  return undefined;
}

function isSigned(head: Head, publicKey: KeyObject): boolean {
  return head.signature !== undefined && verify(null, signedText(head), publicKey, Buffer.from(head.signature, 'base64'));
}
