import { z } from 'zod';

const SECRET = 'secret';

/** A value that must never be printed: a key, or a URL with a password. */
export function secret<T extends z.ZodType>(schema: T): T {
  return schema.meta({ [SECRET]: true });
}

/** 32 bytes in standard base64, as every symmetric key in the configuration is written. */
export const key32 = z.base64().transform((text, ctx) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 32) return bytes;
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' });
  return z.NEVER;
});

/** A TCP port; 0 lets the system choose. */
export const port = z.coerce.number().int().min(0).max(65535);

/** Where the broker is: its address carries a password. */
export const amqpUrl = secret(z.url({ protocol: /^amqps?$/ }));

/** The address of another service, without a trailing slash. */
export const serviceUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** The base addresses of a service's replicas, separated by commas. */
export const replicaUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, '')))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1));

/** Names and addresses under which this system is reached from outside, separated by commas: callbacks to them are refused. */
export const ownHosts = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((host) => (host.trim() === '' ? [] : [host.trim().toLowerCase()])));

/** `true` or `false`, spelled out. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What every service is configured with. Spec: design "Running". */
export const serviceConfig = {
  ENVIRONMENT: z.enum(['TEST', 'LIVE']),
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  PRIVATE_PORT: port,
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ })),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
} as const;

/** What a seed is configured with. It makes partners and credits money past four eyes: TEST only. */
export const seedConfig = {
  ENVIRONMENT: z.literal('TEST', 'a seed runs with ENVIRONMENT=TEST only'),
  DATABASE_URL: serviceConfig.DATABASE_URL,
} as const;

/** Thrown at start: one message that lists every wrong variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration once, from `env`. The result is frozen.
 * @throws ConfigError that names every missing or wrong variable, and never a value.
 */
export function readConfig<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<z.infer<T>> {
  // An empty variable is an absent one: that is how compose files and shells unset it.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given, { reportInput: false });
  if (parsed.success) return Object.freeze(parsed.data);
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`);
}

/** The configuration as it may be printed: secrets are masked. */
export function maskedConfig(schema: z.ZodObject, config: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, isSecret(schema.shape[name], value) ? '***' : value]),
  );
}

/** Bytes are always a key; a mark is found under `optional` and `default` too. */
function isSecret(schema: unknown, value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  if (!(schema instanceof z.ZodType)) return false;
  if (schema.meta()?.[SECRET] === true) return true;
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return wrapped && isSecret(schema.unwrap(), value);
}
