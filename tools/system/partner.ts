import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { canonicalString } from '../../packages/shared/src/signing/canonical-request.ts';
import type { DemoPartner } from './state.ts';

export type PartnerAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** One signed request of a partner, as his own program would send it. */
export async function callAsPartner(
  baseUrl: string,
  partner: DemoPartner,
  request: { method: 'GET' | 'PUT' | 'POST'; target: string; body?: unknown; idempotencyKey?: string },
): Promise<PartnerAnswer> {
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const { method, target, idempotencyKey = '' } = request;
  const canonical = canonicalString({ timestamp, nonce, method, target, idempotencyKey, body: Buffer.from(body) });
  const signature = sign(null, Buffer.from(canonical), createPrivateKey(partner.privateKeyPem)).toString('base64');
  const { partnerID, publicKey: key } = partner;
  const response = await fetch(baseUrl + target, {
    method,
    headers: {
      authorization: JSON.stringify({ partnerID, key, sign: signature, timestamp, nonce }),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
    },
    signal: AbortSignal.timeout(30_000),
    ...(body === '' ? {} : { body }),
  });
  const parsed: unknown = await response.json();
  if (typeof parsed !== 'object' || parsed === null)
    throw new Error(`${method} ${target} did not answer with an object`);
  return { status: response.status, body: { ...parsed } };
}

/** The same, where only success makes sense. */
export async function callOrFail(
  ...call: Parameters<typeof callAsPartner>
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await callAsPartner(...call);
  const [, , { method, target }] = call;
  if (status < 200 || status > 299)
    throw new Error(`${method} ${target} answered ${String(status)}: ${JSON.stringify(body)}`);
  return body;
}

/** A text member of an answer. */
export function text(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`the answer has no ${name}: ${JSON.stringify(body)}`);
  return value;
}
