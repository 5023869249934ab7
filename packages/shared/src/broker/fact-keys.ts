import { z } from 'zod';
import { ConfigError, key32, secret } from '../config/config.ts';
import type { FactKey, SigningKeys, VerificationKeys } from './fact-signature.ts';
import { servicesOf, routeOf, typesConsumedBy, type FactRoutes } from './topology.ts';

const ID = /^[A-Za-z0-9_-]{1,32}$/;
const SHAPE = 'must be service:id:base64 of 32 bytes, comma separated';

/** `notifier:k1:<base64>,bindings:k1:<base64>`: the key that a producer signs with for each consumer. */
export const factSigningKeys = secret(z.string().transform(readSigningKeys));

/** `payments:k1:<base64>,payments:k2:<base64>`: each producer's keys that a consumer trusts. */
export const factVerificationKeys = secret(z.string().transform(readVerificationKeys));

type Keyed = {
  readonly facts: FactRoutes;
  readonly signingKeys?: SigningKeys;
  readonly verificationKeys?: VerificationKeys;
};

/**
 * A service that cannot sign for a consumer, or verify a producer, must not start: its facts would end as dead letters.
 * @throws ConfigError
 */
export function checkFactKeys(service: string, { facts, signingKeys, verificationKeys }: Keyed): void {
  const unsigned = servicesOf(facts).filter(
    (consumer) =>
      signingKeys?.has(consumer) !== true &&
      Object.values(facts).some((route) => route.owner === service && route.consumers.includes(consumer)),
  );
  if (unsigned.length > 0) throw new ConfigError(`FACT_SIGNING_KEYS has no key for ${unsigned.join(', ')}`);
  const owners = new Set(typesConsumedBy(facts, service).map((type) => routeOf(facts, type)?.owner ?? ''));
  const unknown = [...owners].filter((owner) => verificationKeys?.has(owner) !== true);
  if (unknown.length > 0) throw new ConfigError(`FACT_VERIFICATION_KEYS has no key of ${unknown.join(', ')}`);
}

function readSigningKeys(text: string, ctx: z.RefinementCtx): SigningKeys {
  const keys = new Map<string, FactKey>();
  for (const { service, id, key } of readKeys(text, ctx)) {
    if (keys.has(service)) ctx.addIssue({ code: 'custom', message: 'must have one key for each service' });
    keys.set(service, { id, key });
  }
  return keys;
}

function readVerificationKeys(text: string, ctx: z.RefinementCtx): VerificationKeys {
  const keys = new Map<string, Map<string, Buffer>>();
  for (const { service, id, key } of readKeys(text, ctx)) {
    const known = keys.get(service) ?? new Map<string, Buffer>();
    if (known.has(id)) ctx.addIssue({ code: 'custom', message: 'must not name one key twice' });
    keys.set(service, known.set(id, key));
  }
  return keys;
}

function readKeys(text: string, ctx: z.RefinementCtx): { service: string; id: string; key: Buffer }[] {
  return text.split(',').flatMap((entry) => {
    const [service = '', id = '', value = '', ...rest] = entry.trim().split(':');
    const key = key32.safeParse(value);
    if (service !== '' && ID.test(id) && key.success && rest.length === 0) return [{ service, id, key: key.data }];
    ctx.addIssue({ code: 'custom', message: SHAPE });
    return [];
  });
}
