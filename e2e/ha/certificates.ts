import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../tools/testing/tls-way.ts';
import { HOSTS, type Host } from './network.ts';

/** Where the reference configuration has a host's certificate, its key, and the authority's certificate. */
export const TLS = '/etc/pay-tls';

/** How a program checks the PostgreSQL that it connects to. */
export const VERIFIED = `sslmode=verify-full&sslrootcert=${TLS}/ca.crt`;

/** The certificates of all hosts, by one authority. */
export type Credentials = {
  readonly caFile: string;
  /** With a folder for each host: what that host has in `/etc/pay-tls`. */
  readonly folder: string;
};

/** What a host has to prove who it is. */
export type Proof = { readonly cert: Buffer; readonly key: Buffer };

/** Reads a host's certificate and key. */
export function proofOf({ folder }: Credentials, host: Host): Proof {
  const read = (name: string) => readFileSync(join(folder, host, name));
  return { cert: read('host.crt'), key: read('host.key') };
}

/** What the hosts of a kind are called besides: 127.0.0.1 has these names, and HAProxy passes TLS on. */
const SHARED_NAMES: Readonly<Record<string, readonly string[]>> = {
  // Patroni reaches its own PostgreSQL at localhost.
  db: ['primary', 'localhost'],
  pool: ['pooler'],
  mq: ['broker'],
};

/** The names in a host's certificate. */
export const namesOf = (host: Host): readonly string[] => [host, ...(SHARED_NAMES[host.split('-')[0] ?? ''] ?? [])];

/** Makes an authority and a certificate for each host. The authority's own key is gone afterwards. */
export function makeCredentials(folder: string): Credentials {
  const authority = createAuthority();
  const caFile = join(folder, 'ca.crt');
  mkdirSync(folder, { recursive: true });
  copyFileSync(authority.caFile, caFile);
  for (const host of HOSTS) {
    const own = join(folder, host);
    mkdirSync(own);
    const { key, cert } = authority.issue(namesOf(host));
    copyFileSync(authority.caFile, join(own, 'ca.crt'));
    writeFileSync(join(own, 'host.crt'), cert);
    writeFileSync(join(own, 'host.key'), key, { mode: 0o600 });
  }
  authority.remove();
  return { caFile, folder };
}
