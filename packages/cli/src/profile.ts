import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@pay/sdk/errors.ts';
import { readIdentity, type Identity } from '@pay/sdk/sign.ts';
import { usage } from './fault.ts';

/** Where `npm start` writes the demo partner's profile. */
const DEMO_FILE = resolve(dirname(fileURLToPath(import.meta.url)), '../../../.local/demo.json');

/** A partner's side of one environment, as in `.local/demo.json`. A file of your own needs only the first four members. */
export type Profile = {
  readonly file: string;
  readonly baseUrl: string;
  readonly partnerID: string;
  readonly publicKey: string;
  readonly privateKeyFile: string;
  readonly bankUrl: string | undefined;
  /** Demo only: the origin and the bearer key of the sandbox bank's control API. */
  readonly bankControlUrl: string | undefined;
  readonly bankControlKey: string | undefined;
  readonly formUrl: string | undefined;
  readonly callbackUrl: string | undefined;
  readonly callbackKeys: readonly { readonly keyId: string; readonly secret: string }[];
  readonly cardPoint: string | undefined;
  readonly qrPoint: string | undefined;
  readonly consoleUrl: string | undefined;
  /** Demo only: the users of its console. */
  readonly operators: readonly { readonly login: string; readonly password: string; readonly role: string }[];
  readonly databaseUrl: string | undefined;
  readonly amqpUrl: string | undefined;
  readonly services: Readonly<Record<string, readonly string[]>>;
};

/** Finds and reads the profile: `--profile`, else PAY_PROFILE, else the running demo system. */
export function readProfile(given: string | undefined, isOther: boolean): Profile {
  const file = given ?? process.env['PAY_PROFILE'] ?? DEMO_FILE;
  if (!existsSync(file)) {
    throw usage(file === DEMO_FILE ? 'no system is running here: run `npm start`, or pass --profile FILE' : `${file} does not exist`);
  }
  const whole = readJsonFile(file);
  const record = isOther ? { ...whole, ...recordOf(whole['otherPartner']), callbackUrl: undefined, callbackSecret: undefined } : whole;
  const needed = (name: string): string => {
    const value = record[name];
    if (typeof value !== 'string' || value === '') throw usage(`${file} has no ${name}`);
    return value;
  };
  const optional = (name: string): string | undefined => {
    const value = record[name];
    return typeof value === 'string' ? value : undefined;
  };
  const keyId = optional('callbackKeyId');
  const secret = optional('callbackSecret');
  return {
    file,
    baseUrl: needed('baseUrl'),
    partnerID: needed('partnerID'),
    publicKey: needed('publicKey'),
    privateKeyFile: resolve(dirname(file), needed('privateKeyFile')),
    bankUrl: optional('bankUrl'),
    bankControlUrl: optional('bankControlUrl'),
    bankControlKey: optional('bankControlKey'),
    formUrl: optional('formUrl'),
    callbackUrl: optional('callbackUrl'),
    callbackKeys: keyId === undefined || secret === undefined ? [] : [{ keyId, secret }],
    cardPoint: textOf(recordOf(record['paymentPoints'])['card']),
    qrPoint: textOf(recordOf(record['paymentPoints'])['qr']),
    consoleUrl: optional('consoleUrl'),
    operators: listOf(record['operators']).map((one) => ({
      login: textOf(one['login']) ?? '',
      password: textOf(one['password']) ?? '',
      role: textOf(one['role']) ?? '',
    })),
    databaseUrl: optional('databaseUrl'),
    amqpUrl: optional('amqpUrl'),
    services: Object.fromEntries(
      Object.entries(recordOf(record['services'])).map(([name, value]) => [
        name,
        (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(recordOf(one)['url']) ?? []),
      ]),
    ),
  };
}

/** The identity that signs. */
export function identityOf(profile: Profile): Identity {
  const { partnerID, publicKey, privateKeyFile } = profile;
  return readIdentity({ partnerID, publicKey, privateKeyPem: readFileSync(privateKeyFile, 'utf8') });
}

/** Whom a stream is asked of, and who asks. */
export const serviceOf = (profile: Profile) => ({ origin: new URL(profile.baseUrl), identity: identityOf(profile) });

/** The private ports, from the system's own folder, beside the profile. */
export type SystemFacts = { readonly ports: Readonly<Record<string, number>> };

/** Read from `system.json` beside the profile; empty if there is none, as on a partner's own machine. */
export function readSystemFacts(profile: Profile): SystemFacts {
  const file = join(dirname(profile.file), 'system.json');
  const state = existsSync(file) ? readJsonFile(file) : {};
  return {
    ports: Object.fromEntries(
      Object.entries(recordOf(state['ports'])).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    ),
  };
}

function readJsonFile(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(value)) return value;
  } catch {
    // Reported below without quoting the file: it may contain a secret.
  }
  throw usage(`${file} is not a JSON object`);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
