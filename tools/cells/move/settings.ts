import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { encryptionConfig, encryptionKeysOf } from '../../../packages/shared/src/encryption/encryption-config.ts';
import { MOVED_SERVICES } from './tables.ts';

const encryptionKeys = z.strictObject(encryptionConfig).transform(encryptionKeysOf);
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

const Cell = z.strictObject({
  /** The name of its backend in HAProxy. */
  name: z.string().regex(/^[\w-]{1,64}$/),
  /** The origin of its checkout (`FORM_URL`). */
  checkoutUrl: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin),
  /** The database of the owner of the schemas: one, or one for each service. */
  databases: z.union([
    databaseUrl.transform((url) => Object.fromEntries(MOVED_SERVICES.map((service) => [service, url]))),
    z.strictObject(Object.fromEntries(MOVED_SERVICES.map((service) => [service, databaseUrl]))),
  ]),
  /** The variables of the Secrets of payments and notifier. */
  encryption: z.strictObject({ payments: encryptionKeys, notifier: encryptionKeys }),
});
export type Cell = z.output<typeof Cell>;

const Proxy = z.strictObject({
  /** HAProxy's runtime socket: a path, or `host:port`. */
  socket: z.string().min(1),
  /** The map's file, as HAProxy's configuration names it. */
  map: z.string().min(1),
});
export type Proxy = z.output<typeof Proxy>;

const Settings = z
  .strictObject({ from: Cell, to: Cell, proxies: z.array(Proxy).min(1) })
  .refine(({ from, to }) => from.name !== to.name, 'from and to are the same cell')
  .refine(
    ({ from, to }) => MOVED_SERVICES.every((service) => from.databases[service] !== to.databases[service]),
    'from and to have the same database',
  );
/** Both cells and all proxies in front of them. */
export type Settings = z.output<typeof Settings>;

/** Reads a file with the keys of two cells. @throws Error with a sentence if it is wrong, or others may read it */
export function readSettings(file: string): Settings {
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`${file} has keys: chmod 600 ${file}`);
  const read = Settings.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}
