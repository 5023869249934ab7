import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { renderOpenSshKey } from '../../packages/signing/src/ed25519.ts';
import { readJson, writePrivateJson } from '../infrastructure/files.ts';
import { OWNER, SERVICES, type ServiceName } from '../infrastructure/provision.ts';
import type { ProcessRecord } from '../lock.mjs';

/** A partner as the sandbox makes him. The private key is PKCS #8 in PEM, the public one an OpenSSH line. */
export type DemoPartner = {
  readonly partnerID: string;
  readonly publicKey: string;
  readonly privateKeyPem: string;
  readonly storeID: string;
  readonly paymentPoints: { readonly card: string; readonly qr: string };
  readonly beneficiaryRef: string;
};

/** Somebody who works with the console of the sandbox. */
export type DemoOperator = {
  readonly login: string;
  readonly name: string;
  readonly role: 'support' | 'operator' | 'finance' | 'admin';
  readonly password: string;
};

/** A program of ours: a service, or the checkout, which is the second process of payments. */
export type OwnProgram = ServiceName | 'checkout';
/** A program of the system: one of ours, or the demo partner's callback receiver. */
export type ProgramName = OwnProgram | 'demo-receiver';

export type RunningProcess = {
  readonly program: ProgramName;
  readonly replica: number;
  readonly record: ProcessRecord;
};

/** What a system keeps between two starts. In `<folder>/system.json`, readable by its owner only. */
export type SystemState = {
  readonly secrets: Secrets;
  readonly partner: DemoPartner;
  readonly other: DemoPartner;
  readonly operators: readonly DemoOperator[];
  /** Where the demo partner's receiver reads his callback secret. */
  callbackSecretFile: string;
  callbackSecret: { readonly secret: string; readonly keyId: string } | undefined;
  /** Where the databases and the broker were at the last start; administrator's URLs. */
  infrastructure: { rung: 1 | 2 | 3 | 4; databaseUrl: string; amqpUrl: string };
  /** Of an administrator, in the system's own database. */
  databaseAdminUrl: string;
  databaseUrls: Partial<Record<ServiceName, string>>;
  /** Of each service's own user at the broker. */
  brokerUrls: Partial<Record<ServiceName, string>>;
  replicas: Partial<Record<OwnProgram, number>>;
  /** Set by whoever starts the system, over what the system says; for tests. */
  env: Partial<Record<OwnProgram, Record<string, string>>>;
  ports: Partial<Record<string, number>>;
  processes: RunningProcess[];
};

type Secrets = {
  readonly databasePasswords: Record<ServiceName | typeof OWNER, string>;
  readonly brokerPasswords: Record<ServiceName, string>;
  /** What the keys of facts are derived from; no service has it. */
  readonly factSecret: string;
  readonly internalTokenKeys: Record<ServiceName, string>;
  /** The console's, PKCS #8 in base64: vouches for operators towards the services, which get the public half. */
  readonly operatorIdentityKey: string;
  readonly encryptionKeys: Record<ServiceName, string>;
  readonly bankApiKey: string;
  /** Signs the sandbox bank's notifications. */
  readonly bankNotificationKey: string;
  /** Opens the sandbox bank's control API and operations page. */
  readonly bankControlKey: string;
};

const stateFile = (folder: string) => join(folder, 'system.json');

/** A state as any version of this repository may have written it. */
type Older = Omit<SystemState, 'operators' | 'secrets' | 'brokerUrls'> &
  Pick<Partial<SystemState>, 'operators' | 'brokerUrls'> & {
    readonly secrets: Omit<
      Secrets,
      | 'bankNotificationKey'
      | 'bankControlKey'
      | 'brokerPasswords'
      | 'factSecret'
      | 'databasePasswords'
      | 'operatorIdentityKey'
    > &
      Partial<Omit<Secrets, 'databasePasswords'>> & {
        readonly databasePasswords: Record<ServiceName, string> & Partial<Secrets['databasePasswords']>;
      };
  };

/** Undefined: this folder never had a system. */
export function readState(folder: string): SystemState | undefined {
  const state = readJson(stateFile(folder)) as Older | undefined;
  if (state === undefined) return undefined;
  // A folder from before there were operators, all of them, users at the broker, an owner of the tables, or one of these
  // keys gets them at its next start.
  const { operators = [], brokerUrls = {}, secrets } = state;
  const newcomers = newOperators().filter(({ login }) => operators.every((one) => one.login !== login));
  const { [OWNER]: owner = newPassword(), ...ofServices } = secrets.databasePasswords;
  const databasePasswords = { ...ofServices, [OWNER]: owner };
  return {
    ...state,
    operators: [...operators, ...newcomers],
    brokerUrls,
    secrets: {
      bankNotificationKey: key32(),
      bankControlKey: key32(),
      brokerPasswords: perService(newPassword),
      operatorIdentityKey: ed25519Key(),
      factSecret: key32(),
      ...secrets,
      databasePasswords,
    },
  };
}

export function writeState(folder: string, state: SystemState): void {
  writePrivateJson(stateFile(folder), state);
}

/** The state of a folder's first start: fresh keys for everything. */
export function newState(): SystemState {
  return {
    secrets: {
      databasePasswords: { ...perService(newPassword), [OWNER]: newPassword() },
      brokerPasswords: perService(newPassword),
      factSecret: key32(),
      internalTokenKeys: perService(key32),
      operatorIdentityKey: ed25519Key(),
      encryptionKeys: perService(key32),
      bankApiKey: randomBytes(32).toString('hex'),
      bankNotificationKey: key32(),
      bankControlKey: key32(),
    },
    partner: newPartner('demo'),
    other: newPartner('other'),
    operators: newOperators(),
    callbackSecretFile: '',
    callbackSecret: undefined,
    infrastructure: { rung: 2, databaseUrl: '', amqpUrl: '' },
    databaseAdminUrl: '',
    databaseUrls: {},
    brokerUrls: {},
    replicas: {},
    env: {},
    ports: {},
    processes: [],
  };
}

const newPassword = () => randomBytes(24).toString('hex');

const ed25519Key = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

const key32 = () => randomBytes(32).toString('base64');

function perService(make: () => string): Record<ServiceName, string> {
  return Object.fromEntries(SERVICES.map((service) => [service, make()])) as Record<ServiceName, string>;
}

/** Two for what takes two finance people or two administrators, and one for each other role. */
function newOperators(): DemoOperator[] {
  const person = (login: string, name: string, role: DemoOperator['role']): DemoOperator => ({
    login: `${login}@example.com`,
    name,
    role,
    password: randomBytes(12).toString('base64url'),
  });
  return [
    person('olga', 'Olga Finance', 'finance'),
    person('ivan', 'Ivan Finance', 'finance'),
    person('oleg', 'Oleg Operator', 'operator'),
    person('sofia', 'Sofia Support', 'support'),
    person('anna', 'Anna Admin', 'admin'),
    person('boris', 'Boris Admin', 'admin'),
  ];
}

function newPartner(name: string): DemoPartner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    partnerID: `${name}-partner`,
    publicKey: renderOpenSshKey(publicKey),
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    storeID: `store-${name}`,
    paymentPoints: { card: `point-${name}-card`, qr: `point-${name}-qr` },
    beneficiaryRef: `beneficiary-${name}`,
  };
}
