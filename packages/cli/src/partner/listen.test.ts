import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signTestCallback } from '@pay/sdk/callbacks.ts';
import type { PaymentCompletedEvent } from '@pay/sdk/events.ts';
import { generateKeys } from '@pay/sdk/keys.ts';
import { startApiServer, type ApiServer, type Reply } from '../../../sdk/test/api-server.ts';
import { startToxicProxy, type ToxicProxy } from '../../../../tools/testing/toxic-proxy.ts';
import { runCli, spawnCli, writeProfile } from '../../test/run-cli.ts';

const keys = generateKeys();
const callbackKey = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const event: PaymentCompletedEvent = {
  schemaVersion: 1,
  eventId: '',
  type: 'payment.completed',
  aggregateVersion: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  data: {
    paymentId: '1b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
    orderId: '2b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f',
    merchantOrderId: 'A-1',
    status: 'COMPLETED',
    amount: '10.50',
    currency: 'RUB',
    paymentMethod: 'CARD',
    bankOperationId: null,
    occurredAt: '2026-11-20T10:00:00.000Z',
  },
};
const COUNT = 200;
const CUTS = 20;

/** The events of the partner that are stored so far, and the streams that are open: as the service keeps them. */
const stored: string[] = [];
const streams = new Map<ServerResponse, number>();
const forwarded: string[] = [];
const reply: Reply = {
  status: 200,
  respond({ target }, res) {
    const after = new URL(target, 'http://api').searchParams.get('after');
    const place = after === null ? stored.length : Number(after);
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write(`retry: 500\n\nid: ${String(place)}\n\n`);
    streams.set(res, place);
    res.on('close', () => streams.delete(res));
    send();
  },
};
const receiver = createServer((req, res) => {
  forwarded.push(String(req.headers['x-service-event-id']));
  res.writeHead(req.headers['x-service-signature'] === undefined ? 401 : 200).end();
});

function send(): void {
  for (const [res, place] of streams) {
    for (const [index, eventId] of stored.entries()) {
      if (index < place) continue;
      const { headers, body } = signTestCallback({ ...event, eventId }, [callbackKey], new Date());
      const data = JSON.stringify({ eventId, type: event.type, headers, body: Buffer.from(body).toString() });
      res.write(`id: ${String(index + 1)}\nevent: ${event.type}\ndata: ${data}\n\n`);
    }
    streams.set(res, stored.length);
  }
}

/** Stores as many events; streams have them at once. */
function store(count: number): void {
  for (let more = 0; more < count; more += 1)
    stored.push(`00000000-0000-4000-8000-${String(stored.length).padStart(12, '0')}`);
  send();
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await setImmediate();
};

let server: ApiServer;
let way: ToxicProxy;
let profile: ReturnType<typeof writeProfile>;
let forwardTo = '';
beforeAll(async () => {
  server = await startApiServer({ partnerID: 'partner-a', publicKey: keys.publicKey });
  server.reply(reply);
  way = await startToxicProxy(() => ({ host: '127.0.0.1', port: server.port }));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  forwardTo = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/callbacks`;
  profile = writeProfile(
    {
      baseUrl: `http://127.0.0.1:${String(way.port)}`,
      partnerID: 'partner-a',
      publicKey: keys.publicKey,
      callbackKeyId: callbackKey.keyId,
      callbackSecret: callbackKey.secret,
    },
    keys.privateKeyPem,
  );
});
afterAll(async () => {
  await way.close();
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
  profile.remove();
});

describe('callbacks listen', () => {
  it('loses nothing when its connection is cut 20 times in 200 events and it is killed twice', async () => {
    const state = join(profile.folder, 'place');
    const start = () => {
      const args = ['--profile', profile.file, 'callbacks', 'listen', '--forward-to', forwardTo, '--state', state];
      const child = spawnCli(args);
      // A terminal that takes what is printed.
      child.stdout?.resume();
      return child;
    };
    let listener = start();
    await until(() => streams.size > 0);
    for (let cut = 1; cut <= CUTS; cut += 1) {
      store(COUNT / CUTS);
      // Some are forwarded, the rest is on its way.
      await until(() => forwarded.length >= stored.length - COUNT / CUTS / 2);
      way.reset();
      if (cut % 8 !== 0) continue;
      listener.kill('SIGKILL');
      await once(listener, 'close');
      listener = start();
    }
    await until(() => new Set(forwarded).size === COUNT);
    listener.kill('SIGTERM');
    await once(listener, 'close');
    // In order; what a kill interrupted came again.
    expect([...new Set(forwarded)]).toEqual(stored);
    expect(forwarded.length - COUNT).toBeLessThanOrEqual(2);
    expect(existsSync(`${state}.new`)).toBe(false);
    expect(readFileSync(state, 'utf8')).toBe(`${String(COUNT)}\n`);
  });

  it('--once --expect: ends with the event that it waited for; without a key it says so', async () => {
    const bare = writeProfile(
      { baseUrl: `http://127.0.0.1:${String(way.port)}`, partnerID: 'partner-a', publicKey: keys.publicKey },
      keys.privateKeyPem,
    );
    for (const [file, verified] of [
      [profile.file, true],
      [bare.file, false],
    ] as const) {
      const open = streams.size;
      const args = ['callbacks', 'listen', '--once', '--expect', 'payment.completed', '--timeout', '30', '--json'];
      const running = runCli(['--profile', file, ...args]);
      await until(() => streams.size > open);
      store(1);
      const { exitCode, stdout } = await running;
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ verified, eventId: stored.at(-1), type: 'payment.completed' });
      await until(() => streams.size === open);
    }
    bare.remove();
  });

  it('1: refused. 3: nobody answers. 5: it did not come in time', async () => {
    const listen = (...args: readonly string[]) => runCli(['--profile', profile.file, 'callbacks', 'listen', ...args]);
    expect((await listen('--once', '--timeout', '0.2')).exitCode).toBe(5);
    server.reply({ status: 400, body: { error: 'not valid', code: 'VALIDATION_FAILED', requestId: 'r-1' } });
    expect(await listen()).toMatchObject({ exitCode: 1, stderr: '400 VALIDATION_FAILED: not valid (request r-1)\n' });
    server.reply(reply);
    await way.set({ refusing: true });
    expect((await listen()).exitCode).toBe(3);
    await way.set({});
  });

  it.each(['payment.nonsense', 'payment'])('2: --expect %s is no event', async (type) => {
    const args = ['callbacks', 'listen', '--once', '--expect', type, '--timeout', '1'];
    const { exitCode, stderr } = await runCli(['--profile', profile.file, ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('payment.completed, ');
  });
});
