import { createPrivateKey, createPublicKey } from 'node:crypto';
import { dirname, join } from 'node:path';
import { renderOpenSshKey } from '../../packages/signing/src/ed25519.ts';
import { factKeysOf } from '../infrastructure/fact-keys.ts';
import { SERVICES, type ServiceName } from '../infrastructure/provision.ts';
import { edgePortName, loopbackLayout, type Layout } from './layout.ts';
import type { OwnProgram, ProgramName, ReceiverName, SystemState } from './state.ts';

/** The variables of our own environment that child processes inherit: what runtime and network need, nothing else. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'LOG_LEVEL',
];

export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.includes(name) || name.startsWith('OTEL_')));
}

const FURTHER: Partial<Record<ProgramName, readonly string[]>> = {
  payments: ['notifications'],
  'sandbox-bank': ['control'],
};

/** The listeners that browsers and partners reach; `further` is empty for a program's first one. */
const PUBLIC: readonly { readonly program: OwnProgram; readonly further: string }[] = [
  { program: 'gateway', further: '' },
  { program: 'checkout', further: '' },
  { program: 'console', further: '' },
  { program: 'portal', further: '' },
  { program: 'sandbox-bank', further: '' },
  { program: 'sandbox-bank', further: '-control' },
];

/** Who plays the demo partner in this system. */
export const receiverOf = (state: SystemState): ReceiverName => (state.shop === undefined ? 'demo-receiver' : 'shop');

export const isReceiver = (program: ProgramName): program is ReceiverName => program === 'demo-receiver' || program === 'shop';

const OWN_PROGRAMS: readonly OwnProgram[] = [...SERVICES, 'checkout', 'portal'];

/** The names of all ports that a program's replica listens on. */
export function portNames(program: ProgramName, replica: number): string[] {
  if (program === 'edge') return PUBLIC.map((one) => edgePortName(`${one.program}-1${one.further}`));
  const own = `${program}-${String(replica)}`;
  if (isReceiver(program)) return [own];
  return [own, `${own}-private`, ...(FURTHER[program] ?? []).map((further) => `${own}-${further}`)];
}

/** The edge runs if a program that is reached from outside has more than one replica. */
export function replicasOf(state: SystemState, program: ProgramName): number {
  if (isReceiver(program)) return program === receiverOf(state) ? 1 : 0;
  if (program === 'edge') return PUBLIC.some((one) => replicasOf(state, one.program) > 1) ? 1 : 0;
  return state.replicas[program] ?? 1;
}

/** The arguments of `tools/compose/edge.ts`: each public listener with the addresses of its replicas. */
export function edgeArguments(state: SystemState): string[] {
  const { host, port } = loopbackLayout(state);
  return PUBLIC.map(({ program, further }) => {
    const addresses = Array.from(
      { length: replicasOf(state, program) },
      (_, index) => `${host}:${String(port(`${program}-${String(index + 1)}${further}`))}`,
    );
    return `${String(port(edgePortName(`${program}-1${further}`)))}=${addresses.join(',')}`;
  });
}

/** The public origins of a system on this machine. */
export function addresses(state: SystemState) {
  const { publicOrigin } = loopbackLayout(state);
  return {
    baseUrl: publicOrigin('gateway-1'),
    checkoutUrl: publicOrigin('checkout-1'),
    consoleUrl: publicOrigin('console-1'),
    portalUrl: publicOrigin('portal-1'),
    bankUrl: publicOrigin('sandbox-bank-1'),
    bankControlUrl: publicOrigin('sandbox-bank-1-control'),
    receiverUrl: publicOrigin(`${receiverOf(state)}-1`),
  };
}

/** The base address of one process on this machine, and of its private port. */
export function processUrls(state: SystemState, program: ProgramName, replica: number) {
  const { origin } = loopbackLayout(state);
  const own = `${program}-${String(replica)}`;
  const url = origin(own);
  return { url, privateUrl: isReceiver(program) ? url : origin(`${own}-private`) };
}

/** The complete configuration of one process, by the names in its `config.ts`. */
export function environmentOf(state: SystemState, layout: Layout, program: ProgramName, replica: number): Record<string, string> {
  if (program === 'edge') return { HOST: layout.host };
  const own = `${program}-${String(replica)}`;
  const listening = { HOST: layout.host, PORT: String(layout.port(own)) };
  if (program === 'demo-receiver') return { ...listening, SECRET_FILE: state.callbackSecretFile };
  if (program === 'shop') return { ...listening, ...ofShop(state, layout) };
  return {
    ...listening,
    ENVIRONMENT: 'TEST',
    PRIVATE_HOST: layout.host,
    PRIVATE_PORT: String(layout.port(`${own}-private`)),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    ...ofProgram(state, layout, program, own),
    ...state.env[program],
  };
}

function ofProgram(state: SystemState, layout: Layout, program: OwnProgram, own: string): Record<string, string> {
  switch (program) {
    case 'checkout':
      return ofCheckout(state, layout);
    case 'portal':
      return {
        PUBLIC_URL: layout.publicOrigin('portal-1'),
        GATEWAY_PORTAL_URL: layout.origin('gateway-1-private'),
      };
    default:
      return ofService(state, layout, program, own);
  }
}

/** The example shop, as the demo partner. Its orders are beside the system's keys: preparing it again keeps them. */
function ofShop({ partner, shop, callbackSecretFile }: SystemState, layout: Layout): Record<string, string> {
  const folder = dirname(callbackSecretFile);
  return {
    API_URL: layout.publicOrigin('gateway-1'),
    PARTNER_ID: partner.partnerID,
    PUBLIC_KEY: partner.publicKey,
    PRIVATE_KEY_FILE: join(folder, 'demo-partner.pem'),
    CARD_POINT_ID: partner.paymentPoints.card,
    QR_POINT_ID: partner.paymentPoints.qr,
    SHOP_URL: layout.publicOrigin('shop-1'),
    ADMIN_PASSWORD: shop?.adminPassword ?? '',
    CALLBACK_SECRET_FILE: callbackSecretFile,
    DATABASE_FILE: join(folder, 'shop.db'),
  };
}

/** The shop's admin page, with its password in the address. Undefined if no shop plays the demo partner. */
export function shopAdminUrl(state: SystemState): string | undefined {
  if (state.shop === undefined) return undefined;
  const url = new URL('/admin', addresses(state).receiverUrl);
  url.username = 'admin';
  url.password = state.shop.adminPassword;
  return url.href;
}

/** The checkout: the second process of payments, on the same tables (decisions/checkout). */
function ofCheckout(state: SystemState, layout: Layout): Record<string, string> {
  // One machine simulates all buyers, including benches.
  const loose = {
    REQUESTS_PER_ADDRESS_PER_MINUTE: '1000000',
    BANK_ASKS_PER_ADDRESS_PER_MINUTE: '1000000',
    UNPAID_CARDS_PER_ADDRESS: '100000',
    UNPAID_CARDS_PER_BIN: '100000',
    UNPAID_CARDS_PER_POINT: '100000',
    // In a container the published address is not reachable.
    PAGE_CHECK_URL: layout.origin('checkout-1'),
  };
  return {
    ...loose,
    DATABASE_URL: state.databaseUrls.payments ?? '',
    ...bindingsOf(state, layout),
    ...bankOf(state, layout),
  };
}

function ofService(state: SystemState, layout: Layout, service: ServiceName, own: string): Record<string, string> {
  return {
    DATABASE_URL: state.databaseUrls[service] ?? '',
    ...particular(state, layout, service, own),
  };
}

/** The base addresses of a service's replicas. */
const originsOf = (state: SystemState, layout: Layout, service: ServiceName) =>
  Array.from({ length: replicasOf(state, service) }, (_, index) => layout.origin(`${service}-${String(index + 1)}`)).join(',');

/**
 * Every listener of this system, and of its data: receivers of callbacks are all that may be called in its network. In
 * containers no port is chosen.
 */
function ownHostsOf(state: SystemState, layout: Layout): string {
  const chosen = Object.keys(state.ports).filter((listener) => !/^(?:shop|demo-receiver)-/.test(listener));
  const named = OWN_PROGRAMS.flatMap((program) => portNames(program, 1));
  const data = [...Object.values(state.databaseUrls), ...Object.values(state.brokerUrls)];
  const urls = [...(chosen.length > 0 ? chosen : named).map(layout.origin), ...data];
  return [...new Set(urls.map((url) => new URL(url).host))].filter((host) => host !== '').join(',');
}

const bindingsOf = (state: SystemState, layout: Layout) => ({
  BINDINGS_URL: originsOf(state, layout, 'bindings'),
  BINDINGS_INTERNAL_TOKEN_KEY: state.secrets.internalTokenKeys.bindings,
});

/** Shared by both processes of payments: the checkout's origin, the bank, the key of card tokens. */
const bankOf = ({ secrets }: SystemState, layout: Layout) => ({
  FORM_URL: layout.publicOrigin('checkout-1'),
  SANDBOX_BANK_URL: layout.origin('sandbox-bank-1'),
  SANDBOX_BANK_API_KEY: secrets.bankApiKey,
  ENCRYPTION_KEY: secrets.encryptionKeys.payments,
  ENCRYPTION_KEY_ID: 'k1',
});

function particular(state: SystemState, layout: Layout, service: ServiceName, own: string): Record<string, string> {
  const { internalTokenKeys, encryptionKeys, bankApiKey, bankNotificationKey, bankControlKey } = state.secrets;
  const amqp = { AMQP_URL: state.brokerUrls[service] ?? '', ...factKeysOf(service, state.secrets.factSecret) };
  const believes = { OPERATOR_IDENTITY_PUBLIC_KEYS: publicLineOf(state.secrets.operatorIdentityKey) };
  const encryption = { ENCRYPTION_KEY: encryptionKeys[service], ENCRYPTION_KEY_ID: 'k1' };
  const inner = { INTERNAL_TOKEN_KEY: internalTokenKeys[service], ...believes };
  switch (service) {
    case 'gateway':
      return {
        ...believes,
        PAYMENTS_URL: originsOf(state, layout, 'payments'),
        BINDINGS_URL: originsOf(state, layout, 'bindings'),
        WITHDRAWALS_URL: originsOf(state, layout, 'withdrawals'),
        NOTIFIER_URL: originsOf(state, layout, 'notifier'),
        PAYMENTS_INTERNAL_TOKEN_KEY: internalTokenKeys.payments,
        BINDINGS_INTERNAL_TOKEN_KEY: internalTokenKeys.bindings,
        WITHDRAWALS_INTERNAL_TOKEN_KEY: internalTokenKeys.withdrawals,
        NOTIFIER_INTERNAL_TOKEN_KEY: internalTokenKeys.notifier,
      };
    case 'payments':
      return {
        ...amqp,
        ...inner,
        ...bindingsOf(state, layout),
        NOTIFIER_URL: originsOf(state, layout, 'notifier'),
        ...bankOf(state, layout),
        BANK_NOTIFICATIONS_PORT: String(layout.port(`${own}-notifications`)),
        SANDBOX_BANK_NOTIFICATION_KEY: bankNotificationKey,
        CALLBACK_ALLOW_PRIVATE: 'true',
        OWN_HOSTS: ownHostsOf(state, layout),
      };
    case 'bindings':
      return {
        ...amqp,
        ...inner,
        PAYMENTS_URL: originsOf(state, layout, 'payments'),
        PAYMENTS_INTERNAL_TOKEN_KEY: internalTokenKeys.payments,
      };
    case 'withdrawals':
      return { ...amqp, ...inner, PAYMENTS_URL: originsOf(state, layout, 'payments') };
    case 'notifier':
      return {
        ...amqp,
        ...inner,
        ...encryption,
        PAYMENTS_URL: originsOf(state, layout, 'payments'),
        BINDINGS_URL: originsOf(state, layout, 'bindings'),
        WITHDRAWALS_URL: originsOf(state, layout, 'withdrawals'),
        CALLBACK_ALLOW_PRIVATE: 'true',
        OWN_HOSTS: ownHostsOf(state, layout),
      };
    case 'console':
      return {
        PUBLIC_URL: layout.publicOrigin('console-1'),
        AUTH_SECRET: encryptionKeys.console,
        OPERATOR_IDENTITY_PRIVATE_KEY: state.secrets.operatorIdentityKey,
        // So that anybody can explore; a second factor can still be set up.
        SECOND_FACTOR: 'optional',
        TRY_IT_API_URL: layout.origin('gateway-1'),
        GATEWAY_OPERATOR_URL: layout.origin('gateway-1-private'),
        PAYMENTS_OPERATOR_URL: layout.origin('payments-1-private'),
        BINDINGS_OPERATOR_URL: layout.origin('bindings-1-private'),
        WITHDRAWALS_OPERATOR_URL: layout.origin('withdrawals-1-private'),
        NOTIFIER_OPERATOR_URL: layout.origin('notifier-1-private'),
      };
    case 'sandbox-bank':
      return {
        PUBLIC_URL: layout.publicOrigin('sandbox-bank-1'),
        API_KEY: bankApiKey,
        CONTROL_PORT: String(layout.port(`${own}-control`)),
        CONTROL_KEY: bankControlKey,
        // Of one replica only: a bank has a single address of ours, and repeats notifications that fail.
        NOTIFICATION_URL: `${layout.origin('payments-1-notifications')}/notifications/sandbox-bank`,
        NOTIFICATION_KEY: bankNotificationKey,
      };
  }
}

/** The public key of a private key, in the format of `OPERATOR_IDENTITY_PUBLIC_KEYS`. */
function publicLineOf(privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return renderOpenSshKey(createPublicKey(key));
}
