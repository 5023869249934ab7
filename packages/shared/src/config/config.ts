import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { identityPrivateKey } from '../keys/identity-keys.ts';

const SECRET = 'secret';
const IN_LIVE = 'inLive';
const NARROW_IN_LIVE = 'narrowInLive';

/** A value that must never be printed: a key, or a URL with a password. */
export function secret<T extends z.ZodType>(schema: T): T {
  return schema.meta({ [SECRET]: true });
}

/** What LIVE requires of a URL: encryption, and a check of the other side's certificate. */
type Encryption = 'https' | 'amqps' | 'verify-full';

function encryptedInLive<T extends z.ZodType>(schema: T, how: Encryption): T {
  return schema.meta({ [IN_LIVE]: how });
}

/** 32 bytes in standard base64, the format of every symmetric key in the configuration. */
export const key32 = z.base64().transform((text, ctx) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 32) return bytes;
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' });
  return z.NEVER;
});

/** A TCP port; 0 lets the system choose. */
export const port = z.coerce.number().int().min(0).max(65535);

/** The broker's URL, which contains a password. */
export const amqpUrl = encryptedInLive(secret(z.url({ protocol: /^amqps?$/ })), 'amqps');

/** The database's URL, with a role's name and password. */
export const databaseUrl = encryptedInLive(secret(z.url({ protocol: /^postgres(ql)?$/ })), 'verify-full');

/** The address of another service, without a trailing slash. */
export const serviceUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** An address outside our own network, without a trailing slash: https in LIVE. */
export const outsideUrl = encryptedInLive(serviceUrl, 'https');

/** The base addresses of a service's replicas, separated by commas. */
export const replicaUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, '')))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1));

/**
 * Names and addresses of this system, each with a port or without one for all, comma-separated: callbacks to them are
 * refused.
 */
export const ownHosts = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((host) => (host.trim() === '' ? [] : [host.trim().toLowerCase()])));

/** `true` or `false`, spelled out. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The configuration of a program without a database (`runFront`). */
export const frontConfig = {
  ENVIRONMENT: z.enum(['TEST', 'LIVE']),
  HOST: z.string().default('127.0.0.1'),
  /** Where `PRIVATE_PORT` listens: metrics, health and operator API stay internal, whatever `HOST` is. */
  PRIVATE_HOST: z.string().default('127.0.0.1'),
  PORT: port,
  PRIVATE_PORT: port,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
} as const;

/** The configuration of every service. See docs/operate/running.md. */
export const serviceConfig = {
  ...frontConfig,
  DATABASE_URL: databaseUrl,
  /** PostgreSQL's own URL, if `DATABASE_URL` is a pooler's (decisions/pooler). */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /**
   * A folder outside the database's reach, where the newest seals of audit logs and ledgers are written daily
   * (decisions/audit-logs).
   */
  SEAL_HEADS_FOLDER: z.string().optional(),
  /** Signs the seals. */
  SEAL_SIGNING_KEY: secret(identityPrivateKey).optional(),
} as const;

/** The configuration of a seed. It creates partners and credits money without a second person: TEST only. */
export const seedConfig = {
  ENVIRONMENT: z.literal('TEST', 'a seed runs with ENVIRONMENT=TEST only'),
  DATABASE_URL: serviceConfig.DATABASE_URL,
  DATABASE_DIRECT_URL: serviceConfig.DATABASE_DIRECT_URL,
} as const;

/** The configuration of a command that runs beside a service. LIVE by default. */
export const commandConfig = {
  ENVIRONMENT: serviceConfig.ENVIRONMENT.default('LIVE'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: serviceConfig.DATABASE_DIRECT_URL,
} as const;

/** Thrown at startup: one message that lists every wrong variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration once, from `env`. A secret `X` may be in the file named by `X_FILE` instead, so that it is in
 * no environment. The result is frozen.
 * @throws ConfigError that names every missing or wrong variable, and never a value
 */
export function readConfig<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<z.infer<T>> {
  // An empty variable counts as absent: compose files and shells unset variables that way.
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { given, problems } = withFiles(schema, present);
  const parsed = schema.safeParse(given, { reportInput: false });
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  // If a secret's file could not be read, no further problem is reported for it.
  const unread = new Set(problems.map((problem) => problem.split(':')[0]));
  problems.push(...wrong.filter((problem) => !unread.has(problem.split(':')[0])), ...unsafeInLive(schema, given));
  if (parsed.success && problems.length === 0) return Object.freeze(parsed.data);
  throw new ConfigError(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

type Given = Readonly<Record<string, string | undefined>>;

/** No key, password or address is as long as this. */
const FILE_BYTES_MAX = 64 * 1024;

/** The variables, with the contents of the files that `X_FILE` names for secrets `X`. */
function withFiles(schema: z.ZodObject, present: Given): { given: Given; problems: string[] } {
  const given: Record<string, string | undefined> = { ...present };
  const problems: string[] = [];
  for (const name of Object.keys(schema.shape).filter((key) => isSecret(schema.shape[key]))) {
    const path = present[`${name}_FILE`];
    if (path === undefined) continue;
    if (present[name] !== undefined) {
      problems.push(`${name}: is set, and so is ${name}_FILE; set only one`);
      continue;
    }
    const read = readSecretFile(path);
    if ('problem' in read) problems.push(`${name}: ${name}_FILE ${read.problem}`);
    else given[name] = read.text;
  }
  return { given, problems };
}

/** The file's text without the trailing newline that editors add. */
function readSecretFile(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(FILE_BYTES_MAX + 1);
      const length = readSync(file, buffer, 0, buffer.length, 0);
      if (length > FILE_BYTES_MAX) return { problem: `is longer than ${String(FILE_BYTES_MAX)} bytes` };
      const text = buffer.toString('utf8', 0, length).replace(/\r?\n$/, '');
      return text === '' ? { problem: 'is empty' } : { text };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = isCoded(error) ? error.code : 'unknown error';
    return { problem: `cannot be read (${code})` };
  }
}

const isCoded = (error: unknown): error is { readonly code: string } =>
  Error.isError(error) && 'code' in error && typeof error.code === 'string';

/** A setting that LIVE takes only if it is narrow: `widest` returns what is too wide in the text. */
export function narrowInLive<T extends z.ZodType>(schema: T, widest: Judge): T {
  return schema.meta({ [NARROW_IN_LIVE]: widest });
}

type Judge = (text: string) => string | undefined;
const isJudge = (mark: unknown): mark is Judge => typeof mark === 'function';

/** What LIVE must not send unencrypted, or to an unverified server, or trust too widely. */
function unsafeInLive(schema: z.ZodObject, given: Given): string[] {
  const rule: unknown = schema.shape['ENVIRONMENT'];
  if (!(rule instanceof z.ZodType) || rule.safeParse(given['ENVIRONMENT']).data !== 'LIVE') return [];
  const problems = Object.entries(schema.shape).flatMap(([name, field]) => {
    const how = metaOf(field, IN_LIVE);
    const value = given[name];
    const widest = metaOf(field, NARROW_IN_LIVE);
    const wide = isJudge(widest) && value !== undefined ? widest(value) : undefined;
    if (wide !== undefined) return [`${name}: ${wide} with ENVIRONMENT=LIVE`];
    if (typeof how !== 'string' || value === undefined || !URL.canParse(value)) return [];
    const problem = notEncrypted(new URL(value), how);
    return problem === undefined ? [] : [`${name}: ${problem} with ENVIRONMENT=LIVE`];
  });
  if (given['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED: must not be 0, certificates are checked, with ENVIRONMENT=LIVE');
  return problems;
}

function notEncrypted(url: URL, how: string): string | undefined {
  if (how !== 'verify-full') return url.protocol === `${how}:` ? undefined : `must be ${how}`;
  const modes = url.searchParams.getAll('sslmode');
  return modes.length === 1 && modes[0] === how ? undefined : 'must say sslmode=verify-full';
}

/** The configuration as it may be printed: secrets are masked. */
export function maskedConfig(schema: z.ZodObject, config: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      // Bytes are always a key, marked or not.
      value instanceof Uint8Array || isSecret(schema.shape[name]) ? '***' : value,
    ]),
  );
}

function isSecret(schema: unknown): boolean {
  return metaOf(schema, SECRET) === true;
}

/** A mark of a schema, including under `optional`, `default` and `nullable`. */
function metaOf(schema: unknown, mark: string): unknown {
  if (!(schema instanceof z.ZodType)) return undefined;
  const own = schema.meta()?.[mark];
  if (own !== undefined) return own;
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return wrapped ? metaOf(schema.unwrap(), mark) : undefined;
}
