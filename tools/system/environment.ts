import { join } from 'node:path';
import type { ServiceName } from '../infrastructure/provision.ts';
import type { ProgramName, SystemState } from './state.ts';

/** What a child process gets of our own environment: what its runtime and its network need, and nothing else. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'LOG_LEVEL',
];

export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => INHERITED.includes(name) || name.startsWith('OTEL_')),
  );
}

/** The names of all ports that a program's replica listens on. */
export function portNames(program: ProgramName, replica: number): string[] {
  const own = `${program}-${String(replica)}`;
  if (program === 'demo-receiver') return [own];
  return [own, `${own}-private`, ...(program === 'payments' ? [`${own}-form`] : [])];
}

export function portOf(state: SystemState, name: string): number {
  const port = state.ports[name];
  if (port === undefined) throw new Error(`no port was chosen for ${name}`);
  return port;
}

const origin = (state: SystemState, name: string) => `http://127.0.0.1:${String(portOf(state, name))}`;

export function replicasOf(state: SystemState, program: ProgramName): number {
  return program === 'demo-receiver' ? 1 : (state.replicas[program] ?? 1);
}

/** The public origins of the running system. */
export function addresses(state: SystemState) {
  return {
    baseUrl: origin(state, 'gateway-1'),
    formUrl: origin(state, 'payments-1-form'),
    consoleUrl: origin(state, 'console-1'),
    bankUrl: origin(state, 'sandbox-bank-1'),
    receiverUrl: origin(state, 'demo-receiver-1'),
  };
}

/** The base address of one process, and of its private port. */
export function processUrls(state: SystemState, program: ProgramName, replica: number) {
  const own = `${program}-${String(replica)}`;
  const url = origin(state, own);
  return { url, privateUrl: program === 'demo-receiver' ? url : origin(state, `${own}-private`) };
}

/** The whole configuration of one process, as its `config.ts` names it. */
export function environmentOf(
  state: SystemState,
  folder: string,
  program: ProgramName,
  replica: number,
): Record<string, string> {
  const own = `${program}-${String(replica)}`;
  if (program === 'demo-receiver') {
    return { HOST: '127.0.0.1', PORT: String(portOf(state, own)), SECRET_FILE: join(folder, 'callback-secret.json') };
  }
  return {
    ENVIRONMENT: 'TEST',
    HOST: '127.0.0.1',
    PORT: String(portOf(state, own)),
    PRIVATE_PORT: String(portOf(state, `${own}-private`)),
    DATABASE_URL: state.databaseUrls[program] ?? '',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    OPERATOR_TOKEN_KEY: state.secrets.operatorTokenKeys[program],
    ...particular(state, program, own),
    ...state.env[program],
  };
}

/** Base addresses of all replicas of a service, as a list with commas. */
function urlsOf(state: SystemState, service: ServiceName): string {
  const replicas = Array.from({ length: replicasOf(state, service) }, (_, index) => index + 1);
  return replicas.map((replica) => origin(state, `${service}-${String(replica)}`)).join(',');
}

function particular(state: SystemState, service: ServiceName, own: string): Record<string, string> {
  const { internalTokenKeys, encryptionKeys, bankApiKey } = state.secrets;
  const amqp = { AMQP_URL: state.infrastructure.amqpUrl };
  const encryption = { ENCRYPTION_KEY: encryptionKeys[service], ENCRYPTION_KEY_ID: 'k1' };
  const inner = { INTERNAL_TOKEN_KEY: internalTokenKeys[service] };
  switch (service) {
    case 'gateway':
      return {
        PAYMENTS_URL: urlsOf(state, 'payments'),
        BINDINGS_URL: urlsOf(state, 'bindings'),
        WITHDRAWALS_URL: urlsOf(state, 'withdrawals'),
        NOTIFIER_URL: urlsOf(state, 'notifier'),
        PAYMENTS_INTERNAL_TOKEN_KEY: internalTokenKeys.payments,
        BINDINGS_INTERNAL_TOKEN_KEY: internalTokenKeys.bindings,
        WITHDRAWALS_INTERNAL_TOKEN_KEY: internalTokenKeys.withdrawals,
        NOTIFIER_INTERNAL_TOKEN_KEY: internalTokenKeys.notifier,
      };
    case 'payments':
      return {
        ...amqp,
        ...inner,
        ...encryption,
        FORM_PORT: String(portOf(state, `${own}-form`)),
        FORM_URL: origin(state, 'payments-1-form'),
        SANDBOX_BANK_URL: origin(state, 'sandbox-bank-1'),
        SANDBOX_BANK_API_KEY: bankApiKey,
        CALLBACK_ALLOW_PRIVATE: 'true',
      };
    case 'bindings':
      return {
        ...amqp,
        ...inner,
        PAYMENTS_URL: origin(state, 'payments-1'),
        PAYMENTS_INTERNAL_TOKEN_KEY: internalTokenKeys.payments,
      };
    case 'withdrawals':
      return { ...amqp, ...inner };
    case 'notifier':
      return { ...amqp, ...inner, ...encryption, CALLBACK_ALLOW_PRIVATE: 'true' };
    case 'console':
      return {
        GATEWAY_OPERATOR_URL: origin(state, 'gateway-1-private'),
        PAYMENTS_OPERATOR_URL: origin(state, 'payments-1-private'),
        BINDINGS_OPERATOR_URL: origin(state, 'bindings-1-private'),
        WITHDRAWALS_OPERATOR_URL: origin(state, 'withdrawals-1-private'),
        NOTIFIER_OPERATOR_URL: origin(state, 'notifier-1-private'),
      };
    case 'sandbox-bank':
      return { PUBLIC_URL: origin(state, 'sandbox-bank-1'), API_KEY: bankApiKey };
  }
}
