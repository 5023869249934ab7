import { ApiError } from '../../packages/sdk/src/errors.ts';
import { createClient, type Client } from '../../packages/sdk/src/client.ts';
import type { DemoPartner } from './state.ts';

/** An API client that signs as this partner. */
export function clientOf(baseUrl: string, partner: DemoPartner): Client {
  const { partnerID, publicKey, privateKeyPem } = partner;
  return createClient({ baseUrl, partnerID, publicKey, privateKeyPem });
}

/** Whether the service refused with this code. */
export function isRefusal(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
