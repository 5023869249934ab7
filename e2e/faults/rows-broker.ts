import { setTimeout as wait } from 'node:timers/promises';
import { management } from '../../tools/infrastructure/rabbitmq.ts';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

const needsPrograms = ({ infrastructure }: FaultSystem): string | undefined =>
  infrastructure.rung === 2 || infrastructure.rung === 4 ? undefined : 'RabbitMQ is not a program of this machine';

/** A call to RabbitMQ's management API as its administrator. @throws Error if it is refused */
async function manage({ infrastructure }: FaultSystem, method: 'PUT' | 'DELETE' | 'GET', path: string, body?: unknown): Promise<unknown> {
  const answer = await management(infrastructure.managementUrl ?? '', method, path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`RabbitMQ answered ${String(answer.status)} to ${method} ${path}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const VHOST = '%2F';

export const BROKER_ROWS: readonly Row[] = [
  {
    name: 'broker-memory',
    fault: 'RabbitMQ’s memory alarm for 6 s',
    problem: needsPrograms,
    inject: async ({ infrastructure }) => {
      await infrastructure.rabbitControl('set_vm_memory_high_watermark', '0.00001');
      await wait(6_000);
      await infrastructure.rabbitControl('set_vm_memory_high_watermark', '0.4');
    },
  },
  {
    name: 'broker-disk',
    fault: 'RabbitMQ’s disk alarm for 6 s',
    problem: needsPrograms,
    inject: async ({ infrastructure }) => {
      await infrastructure.rabbitControl('set_disk_free_limit', '100000GB');
      await wait(6_000);
      await infrastructure.rabbitControl('set_disk_free_limit', '200MB');
    },
  },
  {
    name: 'broker-frozen',
    fault: 'nothing passes to or from RabbitMQ for 12 s',
    inject: async ({ links }) => {
      await links.broker.set({ frozen: true });
      await wait(12_000);
      await links.broker.set({});
    },
  },
  {
    name: 'broker-half-open',
    fault: 'every connection to RabbitMQ leads nowhere for ever, new ones are refused for 8 s',
    inject: async ({ links }) => {
      await links.broker.set({ refusing: true });
      links.broker.abandon();
      await wait(8_000);
      await links.broker.set({});
    },
  },
  {
    name: 'broker-killed',
    fault: 'RabbitMQ killed and started',
    inject: ({ infrastructure }) => infrastructure.restart('broker'),
  },
  {
    name: 'permission-revoked',
    fault: 'payments may write nothing at RabbitMQ for 5 s',
    inject: async (system) => {
      const path = `permissions/${VHOST}/payments`;
      const rights = (await manage(system, 'GET', path)) as Record<'configure' | 'write' | 'read', string>;
      const { configure, read, write } = rights;
      await manage(system, 'PUT', path, { configure, read, write: '^$' });
      system.links.broker.reset();
      await wait(5_000);
      await manage(system, 'PUT', path, { configure, read, write });
    },
  },
  {
    name: 'exchange-deleted',
    fault: 'payments’ exchange deleted',
    quick: true,
    inject: async (system) => {
      await manage(system, 'DELETE', `exchanges/${VHOST}/payments.facts`);
      await wait(2_000);
    },
  },
  {
    name: 'binding-deleted',
    fault: 'one binding of the notifier’s queue deleted',
    quick: true,
    inject: async (system) => {
      const key = 'notifier.payment.completed';
      await manage(system, 'DELETE', `bindings/${VHOST}/e/payments.facts/q/notifier.inbox/${key}`);
      await wait(2_000);
    },
  },
  {
    name: 'broker-wiped',
    fault: 'RabbitMQ reset, all services up',
    problem: needsPrograms,
    inject: async ({ infrastructure }) => {
      await infrastructure.rabbitControl('stop_app');
      await infrastructure.rabbitControl('reset');
      await infrastructure.rabbitControl('start_app');
    },
  },
];
