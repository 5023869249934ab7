import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createClient, type Client } from '@pay/sdk/client.ts';
import { createOutput, type Output } from './output.ts';
import { readProfile, type Profile } from './profile.ts';

/** What every command has: the output, and the profile, which is read on demand. */
export type Context = { readonly output: Output; readonly profile: () => Profile };

/** Reads the global options. */
export function contextOf(command: Command): Context {
  const options: { json?: boolean; profile?: string; other?: boolean } = command.optsWithGlobals();
  return {
    output: createOutput(options.json === true),
    profile: () => readProfile(options.profile, options.other === true),
  };
}

/** What of a profile signs. */
type Signer = Pick<Profile, 'baseUrl' | 'partnerID' | 'publicKey' | 'privateKeyFile'>;

/** A client for the profile's partner. The caller closes it. */
export function clientOf(profile: Signer, attemptsMax = 4): Client {
  const { baseUrl, partnerID, publicKey, privateKeyFile } = profile;
  return createClient({
    baseUrl,
    partnerID,
    publicKey,
    privateKeyPem: readFileSync(privateKeyFile, 'utf8'),
    attemptsMax,
  });
}

/** Runs `work` with a client and closes it. */
export async function withClient<T>(profile: Profile, work: (client: Client) => Promise<T>): Promise<T> {
  const client = clientOf(profile);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Bytes of an argument: the text itself, `@FILE`, or `-` for stdin. */
export function readBytes(argument: string | undefined): Buffer {
  if (argument === undefined) return Buffer.alloc(0);
  if (argument === '-') return readFileSync(0);
  return argument.startsWith('@') ? readFileSync(argument.slice(1)) : Buffer.from(argument);
}
