import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../packages/shared/src/config/config.ts';
import { Config as Bindings } from '../../services/bindings/src/config.ts';
import { Config as Console } from '../../services/console/src/config.ts';
import { Config as Gateway } from '../../services/gateway/src/config.ts';
import { Config as Notifier } from '../../services/notifier/src/config.ts';
import { CheckoutConfig } from '../../services/payments/src/checkout-config.ts';
import { Config as Payments } from '../../services/payments/src/config.ts';
import { Config as SandboxBank } from '../../services/sandbox-bank/src/config.ts';
import { Config as Withdrawals } from '../../services/withdrawals/src/config.ts';
import { SERVICES } from '../infrastructure/provision.ts';
import { environmentOf, portNames } from './environment.ts';
import { containerLayout, loopbackLayout } from './layout.ts';
import { newState } from './state.ts';

const CONFIGS = {
  gateway: Gateway,
  payments: Payments,
  checkout: CheckoutConfig,
  bindings: Bindings,
  withdrawals: Withdrawals,
  notifier: Notifier,
  console: Console,
  'sandbox-bank': SandboxBank,
};

const PROGRAMS = [...SERVICES, 'checkout'] as const;

function exampleState() {
  const state = newState();
  state.replicas = { payments: 2 };
  state.infrastructure = { rung: 2, databaseUrl: 'postgres://admin@h/postgres', amqpUrl: 'amqp://u:p@h:1' };
  state.databaseUrls = Object.fromEntries(SERVICES.map((service) => [service, `postgres://${service}@h/pay`]));
  state.brokerUrls = Object.fromEntries(SERVICES.map((service) => [service, `amqp://${service}@h:1`]));
  const listeners = PROGRAMS.flatMap((service) => [...portNames(service, 1), ...portNames(service, 2)]);
  state.ports = Object.fromEntries(listeners.map((listener, index) => [listener, 20_000 + index]));
  return state;
}

const PUBLISHED = {
  'gateway-1': 'http://127.0.0.1:8080',
  'checkout-1': 'http://127.0.0.1:8081',
  'console-1': 'http://127.0.0.1:8082',
  'sandbox-bank-1': 'http://127.0.0.1:8083',
};

describe("a process's environment", () => {
  it.each(PROGRAMS)('is a configuration that %s takes, on this machine and in a container', (service) => {
    const state = exampleState();
    for (const layout of [loopbackLayout(state), containerLayout(PUBLISHED)]) {
      const config = readConfig(CONFIGS[service], environmentOf(state, layout, service, 1));
      expect(config).toMatchObject({ ENVIRONMENT: 'TEST', HOST: layout.host });
    }
  });

  it('names every listener of ours and of our data, and no receiver, to whoever calls and saves callbacks (N12)', () => {
    const state = exampleState();
    state.ports['edge-gateway-1'] = 21_000;
    state.ports['shop-1'] = 21_001;
    for (const service of ['payments', 'notifier'] as const) {
      const hosts = environmentOf(state, loopbackLayout(state), service, 1)['OWN_HOSTS']?.split(',') ?? [];
      for (const port of [state.ports['console-1-private'], state.ports['payments-2'], state.ports['edge-gateway-1']])
        expect(hosts).toContain(`127.0.0.1:${String(port)}`);
      expect(hosts).toEqual(expect.arrayContaining(['h', 'h:1']));
      expect(hosts.join()).not.toContain('21001');
      const named = environmentOf(state, containerLayout(PUBLISHED), service, 1)['OWN_HOSTS']?.split(',') ?? [];
      expect(named).toEqual(expect.arrayContaining(['console:8080', 'console:9090', 'sandbox-bank:8085']));
      expect(named.join()).not.toContain('shop');
    }
  });

  it('tells the gateway every replica', () => {
    const state = exampleState();
    const { PAYMENTS_URL } = environmentOf(state, loopbackLayout(state), 'gateway', 1);
    const ports = [state.ports['payments-1'], state.ports['payments-2']];
    expect(PAYMENTS_URL).toBe(ports.map((port) => `http://127.0.0.1:${String(port)}`).join(','));
  });

  it('sends what the sandbox bank tells to payments, signed by a key that both have', () => {
    const state = exampleState();
    for (const [layout, origin] of [
      [loopbackLayout(state), `http://127.0.0.1:${String(state.ports['payments-1-notifications'])}`],
      [containerLayout(PUBLISHED), 'http://payments:8084'],
    ] as const) {
      const bank = environmentOf(state, layout, 'sandbox-bank', 1);
      const payments = environmentOf(state, layout, 'payments', 1);
      expect(bank['NOTIFICATION_URL']).toBe(`${origin}/notifications/sandbox-bank`);
      expect(new URL(origin).port).toBe(payments['BANK_NOTIFICATIONS_PORT']);
      expect(bank['NOTIFICATION_KEY']).toBe(payments['SANDBOX_BANK_NOTIFICATION_KEY']);
    }
  });

  it('the key of the sandbox bank’s control API is the bank’s alone, and its port not the buyers’ (M5)', () => {
    const state = exampleState();
    for (const layout of [loopbackLayout(state), containerLayout(PUBLISHED)]) {
      const holders = PROGRAMS.filter((program) =>
        Object.values(environmentOf(state, layout, program, 1)).includes(state.secrets.bankControlKey),
      );
      expect(holders).toEqual(['sandbox-bank']);
      const { PORT, PRIVATE_PORT, CONTROL_PORT } = environmentOf(state, layout, 'sandbox-bank', 1);
      expect(new Set([PORT, PRIVATE_PORT, CONTROL_PORT]).size).toBe(3);
    }
  });

  it('gives the form no key of the gateway, the console or the broker (M8)', () => {
    const state = exampleState();
    const { internalTokenKeys, operatorIdentityKey } = state.secrets;
    const given = environmentOf(state, loopbackLayout(state), 'checkout', 1);
    for (const key of [operatorIdentityKey, internalTokenKeys.payments, state.infrastructure.amqpUrl]) {
      expect(Object.values(given)).not.toContain(key);
    }
  });

  it('gives the key that vouches for operators to the console, and to nobody else (S4)', () => {
    const state = exampleState();
    const holders = PROGRAMS.filter((program) =>
      Object.values(environmentOf(state, loopbackLayout(state), program, 1)).includes(state.secrets.operatorIdentityKey),
    );
    expect(holders).toEqual(['console']);
  });

  it('gives no service the key of another, but the keys that it calls with', () => {
    const { secrets } = exampleState();
    const state = { ...exampleState(), secrets };
    const values = Object.values(environmentOf(state, loopbackLayout(state), 'withdrawals', 1));
    for (const other of SERVICES.filter((service) => service !== 'withdrawals')) {
      expect(values).not.toContain(secrets.internalTokenKeys[other]);
      expect(values).not.toContain(secrets.encryptionKeys[other]);
    }
  });
});
