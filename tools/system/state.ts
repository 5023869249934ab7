import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { renderOpenSshKey } from '../../packages/signing/src/ed25519.ts';
import { readJson, writePrivateJson } from '../infrastructure/files.ts';
import { OWNER, SERVICES, type ServiceName } from '../infrastructure/provision.ts';
import type { ProcessRecord } from '../lock.mjs';

/** A partner of the sandbox. The private key is PKCS #8 in PEM, the public key an OpenSSH line. */
export type DemoPartner = {
  readonly partnerID: string;
  readonly publicKey: string;
  readonly privateKeyPem: string;
  readonly storeID: string;
  readonly paymentPoints: { readonly card: string; readonly qr: string };
  readonly beneficiaryRef: string;
};

/** An operator of the sandbox's console. */
export type DemoOperator = {
  readonly login: string;
  readonly name: string;
  readonly role: 'support' | 'operator' | 'finance' | 'admin';
  readonly password: string;
};

/** A program of ours: a service, or a second process of one: checkout of payments, the partner portal of the console. */
export type OwnProgram = ServiceName | 'checkout' | 'portal';
/** What plays the demo partner: the example shop after `npm start`, else a receiver of callbacks. */
export type ReceiverName = 'shop' | 'demo-receiver';
/** What runs once, beside the programs of ours: the demo partner, and the edge. */
type HelperName = ReceiverName | 'edge';
export type ProgramName = OwnProgram | HelperName;

/** The example shop: its prepared folder, and the password of its admin page. */
export type DemoShop = { readonly folder: string; readonly adminPassword: string };

export type RunningProcess = {
  readonly program: ProgramName;
  readonly replica: number;
  readonly record: ProcessRecord;
};

/** The state kept between two starts, in `<folder>/system.json`, readable by its owner only. */
export type SystemState = {
  readonly secrets: Secrets;
  readonly partner: DemoPartner;
  readonly other: DemoPartner;
  readonly operators: readonly DemoOperator[];
  /** Where the demo partner's receiver reads the callback secret. */
  callbackSecretFile: string;
  callbackSecret: { readonly secret: string; readonly keyId: string } | undefined;
  /** The prepared example shop, if it plays the demo partner. */
  shop: DemoShop | undefined;
  /** URLs of PostgreSQL and RabbitMQ at the last start, for an administrator. */
  infrastructure: { rung: 1 | 2 | 3 | 4; databaseUrl: string; amqpUrl: string };
  /** An administrator's URL for the system's own database. */
  databaseAdminUrl: string;
  databaseUrls: Partial<Record<ServiceName, string>>;
  /** URLs for each service's own broker user. */
  brokerUrls: Partial<Record<ServiceName, string>>;
  replicas: Partial<Record<OwnProgram, number>>;
  /** Set by whoever starts the system to override its configuration; for tests. */
  env: Partial<Record<OwnProgram, Record<string, string>>>;
  ports: Partial<Record<string, number>>;
  processes: RunningProcess[];
};

type Secrets = {
  readonly databasePasswords: Record<ServiceName | typeof OWNER, string>;
  readonly brokerPasswords: Record<ServiceName, string>;
  /** Secret from which fact keys are derived; no service has it. */
  readonly factSecret: string;
  readonly internalTokenKeys: Record<ServiceName, string>;
  /** The console's key, PKCS #8 in base64: it vouches for operators; services get the public key. */
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
      'bankNotificationKey' | 'bankControlKey' | 'brokerPasswords' | 'factSecret' | 'databasePasswords' | 'operatorIdentityKey'
    > &
      Partial<Omit<Secrets, 'databasePasswords'>> & {
        readonly databasePasswords: Record<ServiceName, string> & Partial<Secrets['databasePasswords']>;
      };
  };

/** Undefined if this folder has never had a system. */
export function readState(folder: string): SystemState | undefined {
  const state = readJson(stateFile(folder)) as Older | undefined;
  if (state === undefined) return undefined;
  // A folder that predates operators, all of them, broker users, the tables' owner, or one of these keys gets them at
  // its
  // next start.
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

/** The state of a folder's first start, with new keys for everything. */
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
    shop: undefined,
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

export const newPassword = () => randomBytes(24).toString('hex');

const ed25519Key = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

const key32 = () => randomBytes(32).toString('base64');

function perService(make: () => string): Record<ServiceName, string> {
  return Object.fromEntries(SERVICES.map((service) => [service, make()])) as Record<ServiceName, string>;
}

/** Two finance operators and two administrators, for what takes two people, and one operator for each other role. */
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
