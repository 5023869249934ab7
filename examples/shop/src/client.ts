import { readFileSync } from 'node:fs';
import { createClient, type Client } from '@pay/sdk';
import type { Config } from './config.ts';

/** Signs as the partner. */
export function connect({ apiUrl, partnerId, publicKey, privateKeyFile }: Config): Client {
  return createClient({
    baseUrl: apiUrl,
    partnerID: partnerId,
    publicKey,
    privateKeyPem: readFileSync(privateKeyFile, 'utf8'),
    // A buyer waits: give up soon. The order keeps its key, so giving up loses nothing.
    timeoutMs: 8_000,
    attemptsMax: 2,
  });
}
