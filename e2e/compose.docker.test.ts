import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { POSTGRES_IMAGE, RABBITMQ_IMAGE } from '../tools/infrastructure/containers.ts';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { payOnForm } from '../tools/system/buyer.ts';
import { clientOf } from '../tools/system/partner.ts';
import type { DemoPartner } from '../tools/system/state.ts';

const run = promisify(execFile);

describe('docker compose up --build --wait', () => {
  let env: NodeJS.ProcessEnv;
  const compose = (...args: string[]) =>
    run('docker', ['compose', ...args], { cwd: ROOT, env, maxBuffer: 16 * 1024 * 1024 });

  beforeAll(async () => {
    const ports = await freePorts([
      'PAY_API_PORT',
      'PAY_FORM_PORT',
      'PAY_CONSOLE_PORT',
      'PAY_BANK_PORT',
      'PAY_BANK_CONTROL_PORT',
    ]);
    const entries = Object.entries(ports).map(([name, port]) => [name, String(port)]);
    env = {
      ...process.env,
      // What the machine has; the file's own defaults are exact versions.
      PAY_NODE_IMAGE: 'node:24-trixie-slim',
      PAY_POSTGRES_IMAGE: POSTGRES_IMAGE,
      PAY_RABBITMQ_IMAGE: RABBITMQ_IMAGE,
      COMPOSE_PROJECT_NAME: `pay-test-${String(process.pid)}`,
      ...(Object.fromEntries(entries) as Record<string, string>),
    };
    await compose('up', '--build', '--wait', '--quiet-pull');
  }, 900_000);

  afterAll(async () => {
    await compose('--profile', 'demo', 'down', '--volumes', '--remove-orphans', '--timeout', '10');
  });

  it('takes a payment through the published ports and delivers a verified callback', async () => {
    const { stdout } = await compose('run', '--rm', '--no-TTY', 'demo');
    const demo = JSON.parse(stdout) as DemoPartner & { baseUrl: string };
    const client = clientOf(demo.baseUrl, demo);
    try {
      const { id, paymentUrl } = await client.createCardPayment({
        paymentPointID: demo.paymentPoints.card,
        orderID: 'compose-1',
        amount: '10.50',
        currency: 'RUB',
        description: 'Compose',
        customerID: 'buyer-1',
        savePaymentMethod: false,
      });
      expect(new URL(paymentUrl ?? '').port).toBe(env['PAY_FORM_PORT']);
      await payOnForm(paymentUrl ?? '', { number: '4111111111111111', expiry: '12/34', cvv: '123' });
      const wanted = { orderId: id, type: 'payment.completed', verified: true };
      expect(await callbackOf(id)).toMatchObject(wanted);
      expect(await client.readCardPayment(id)).toMatchObject({ status: 'COMPLETED', orderID: 'compose-1' });
    } finally {
      client.close();
    }
  });

  /** Waits inside the receiver's container: it is not published. */
  async function callbackOf(id: string): Promise<unknown> {
    const script = `
      for (const end = Date.now() + 60000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
        const received = await (await fetch('http://127.0.0.1:8080/callbacks.json')).json();
        const found = received.find((one) => one.orderId === '${id}');
        if (found !== undefined) { console.log(JSON.stringify(found)); process.exit(0); }
      }
      process.exit(1);`;
    const { stdout } = await compose('exec', '--no-TTY', 'demo-receiver', 'node', '--input-type=module', '-e', script);
    return JSON.parse(stdout) as unknown;
  }

  it('runs every container without root and publishes five ports on loopback', async () => {
    const { stdout } = await compose('ps', '--format', 'json');
    const containers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Container);
    const published = containers.flatMap(({ Service, Publishers }) =>
      (Publishers ?? [])
        .filter(({ PublishedPort }) => PublishedPort > 0)
        .map(({ URL: address }) => `${Service} ${address}`),
    );
    expect(published.sort()).toEqual([
      'checkout 127.0.0.1',
      'console 127.0.0.1',
      'gateway 127.0.0.1',
      'sandbox-bank 127.0.0.1',
      'sandbox-bank 127.0.0.1',
    ]);
    const { stdout: user } = await compose('exec', '--no-TTY', 'payments', 'id', '-u');
    expect(user.trim()).toBe('1000');
  });

  it('L8: no program and no server runs with a capability, a writable root, or without limits', async () => {
    const { stdout } = await compose('ps', '--quiet');
    const { stdout: inspected } = await run('docker', ['inspect', ...stdout.trim().split('\n')]);
    const containers = JSON.parse(inspected) as Inspected[];
    expect(containers).toHaveLength(11);
    for (const { Name, HostConfig: host } of containers) {
      const limits = [host.Memory > 0, (host.PidsLimit ?? 0) > 0, host.NanoCpus > 0, host.ReadonlyRootfs];
      expect([Name, ...limits, host.CapDrop]).toEqual([Name, true, true, true, true, ['ALL']]);
    }
    for (const server of ['postgres', 'rabbitmq', 'payments']) {
      const script = `for p in /proc/[0-9]*; do [ $p = /proc/$$ ] && continue; case "$(tr '\\0' ' ' < $p/cmdline)" in postgres*|*beam.smp*|node*) grep CapEff $p/status;; esac; done`;
      const { stdout: effective } = await compose('exec', '--no-TTY', server, 'bash', '-c', script);
      expect(new Set(effective.trim().split('\n'))).toEqual(new Set(['CapEff:\t0000000000000000']));
    }
  });

  it('no container of a service can reach the other side of a network that it is not in; the image lists what is in it', async () => {
    const reach = (from: string, host: string, port: number) =>
      compose('exec', '--no-TTY', from, 'node', '-e', `require('net').connect(${String(port)}, '${host}').on('connect', () => process.exit(0)).on('error', () => process.exit(3))`).then(() => true, () => false); // prettier-ignore
    expect(await reach('payments', 'rabbitmq', 5672)).toBe(true);
    expect(await reach('gateway', 'rabbitmq', 5672)).toBe(false);
    expect(await reach('demo-receiver', 'postgres', 5432)).toBe(false);
    const { stdout } = await compose('exec', '--no-TTY', 'payments', 'cat', '/app/sbom.cdx.json');
    const sbom = JSON.parse(stdout) as { bomFormat: string; components: { name: string }[] };
    expect(sbom.bomFormat).toBe('CycloneDX');
    expect(sbom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'pg', 'amqplib']));
  });
});

type Inspected = {
  Name: string;
  HostConfig: {
    Memory: number;
    PidsLimit: number | null;
    NanoCpus: number;
    ReadonlyRootfs: boolean;
    CapDrop: string[] | null;
  };
};
type Container = { Service: string; Publishers: { URL: string; PublishedPort: number }[] | null };
