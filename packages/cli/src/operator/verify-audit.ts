import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Head } from '@pay/shared/seals/heads.ts';
import { verifySealedTables } from '@pay/shared/seals/verify.ts';
import type { Context } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { table } from '../output.ts';

/** The options of `pay operator audit verify`. */
export type AuditOptions = { readonly database?: string; readonly heads?: string; readonly publicKey?: string };

/** `pay operator audit verify`. @throws CliFault if a row or a seal is not as it was written */
export async function verifyAudit(options: AuditOptions, { output, profile }: Context): Promise<void> {
  const url = options.database ?? profile().databaseUrl;
  if (url === undefined) throw usage('pass the database with --database');
  const given = {
    heads: options.heads === undefined ? [] : readHeads(options.heads),
    publicKey: options.publicKey === undefined ? undefined : readPublicKey(options.publicKey),
  };
  const { sound, breaches } = await verifySealedTables(url, given);
  const lines = [
    ...sound.map((one) => [
      'ok',
      `${one.schema}.${one.trail}`,
      `${String(one.rows)} rows, ${String(one.seals)} seals, ${String(one.heads)} heads`,
    ]),
    ...breaches.map((one) => ['NOT OK', `${one.schema}.${one.trail}`, one.problem]),
  ];
  if (breaches.length > 0) throw new CliFault(EXIT.refused, table(lines).join('\n'), { ok: false, breaches, sound });
  output.result(table(lines), { ok: true, sound });
}

function readHeads(path: string): Head[] {
  if (!existsSync(path)) throw usage(`${path} does not exist`);
  const files = statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => (name.endsWith('.jsonl') ? [join(path, name)] : []))
    : [path];
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line, index) => readHead(line, `${file}:${String(index + 1)}`)),
  );
}

function readHead(line: string, place: string): Head {
  try {
    return Head.parse(JSON.parse(line));
  } catch {
    throw usage(`${place} is not the head of an audit log`);
  }
}

function readPublicKey(file: string): KeyObject {
  try {
    return createPublicKey(readFileSync(file));
  } catch {
    throw usage(`${file} is not a public key`);
  }
}
