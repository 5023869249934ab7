import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signTestCallback } from '@pay/sdk/callbacks.ts';
import { generateKeys } from '@pay/sdk/keys.ts';
import { startApiServer, type ApiServer, type Reply } from '../../../sdk/test/api-server.ts';
import { EVENT as event } from '../../../sdk/test/callbacks.ts';
import { startToxicProxy, type ToxicProxy } from '../../../../tools/testing/toxic-proxy.ts';
import { runCli, runHere, spawnCli, writeProfile } from '../../test/run-cli.ts';

const keys = generateKeys();
const callbackKey = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const COUNT = 200;
const CUTS = 20;

/** The events of the partner that are stored so far, and the streams that are open: as the service keeps them. */
const stored: string[] = [];
const streams = new Map<ServerResponse, number>();
/** How the next messages are signed; the ones behind them as they should be. */
const signing: { key: typeof callbackKey; ageMs: number }[] = [];
const forwarded: string[] = [];
/** What the receiver answers next; behind that 200. */
const answers: number[] = [];
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
  res.writeHead(req.headers['x-service-signature'] === undefined ? 401 : (answers.shift() ?? 200)).end();
});

function send(): void {
  for (const [res, place] of streams) {
    for (const [index, eventId] of stored.entries()) {
      if (index < place) continue;
      const { key, ageMs } = signing.shift() ?? { key: callbackKey, ageMs: 0 };
      const { headers, body } = signTestCallback({ ...event, eventId }, [key], new Date(Date.now() - ageMs));
      const data = JSON.stringify({ eventId, type: event.type, headers, body: Buffer.from(body).toString() });
      res.write(`id: ${String(index + 1)}\nevent: ${event.type}\ndata: ${data}\n\n`);
    }
    streams.set(res, stored.length);
  }
}

/** Stores as many events; streams have them at once. */
function store(count: number): void {
  for (let more = 0; more < count; more += 1) stored.push(`00000000-0000-4000-8000-${String(stored.length).padStart(12, '0')}`);
  send();
}

/** A listener that forwards. */
function start(...args: readonly string[]) {
  const child = spawnCli(['--profile', profile.file, 'callbacks', 'listen', '--forward-to', forwardTo, ...args]);
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const closed = once(child, 'close');
  return {
    said,
    listening: () => until(() => said.err.includes('listening to partner-a')),
    async exitCode(signal?: NodeJS.Signals) {
      if (signal !== undefined) child.kill(signal);
      await closed;
      await until(() => streams.size === 0);
      return child.exitCode;
    },
  };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await wait(5);
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
    let listener = start('--state', state);
    await until(() => streams.size > 0);
    for (let cut = 1; cut <= CUTS; cut += 1) {
      store(COUNT / CUTS);
      // Some are forwarded, the rest is on its way.
      await until(() => forwarded.length >= stored.length - COUNT / CUTS / 2);
      way.reset();
      if (cut % 8 !== 0) continue;
      await listener.exitCode('SIGKILL');
      listener = start('--state', state);
    }
    await until(() => new Set(forwarded).size === COUNT);
    await listener.exitCode('SIGTERM');
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
    const { exitCode, stderr } = await runHere(['--profile', profile.file, ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('payment.completed, ');
  });
});

describe('callbacks listen --state', () => {
  const wrongKey = { keyId: 'k2', secret: callbackKey.secret };
  const placeIn = (name: string) => join(profile.folder, name);

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    '%s before any event, and again while the receiver is down: the next start begins with what happened meanwhile',
    async (signal) => {
      const state = placeIn(signal);
      const [before, first] = [stored.length, forwarded.length];
      const idle = start('--state', state);
      await idle.listening();
      expect(readFileSync(state, 'utf8')).toBe(`${String(before)}\n`);
      await idle.exitCode(signal);
      store(2);
      answers.push(503, 503, 503);
      const failing = start('--state', state);
      await until(() => forwarded.length === first + 2);
      expect(await failing.exitCode(signal)).toBe(signal === 'SIGKILL' ? null : 0);
      expect(readFileSync(state, 'utf8')).toBe(`${String(before)}\n`);
      answers.length = 0;
      const last = start('--state', state);
      await until(() => forwarded.at(-1) === stored.at(-1));
      await last.exitCode('SIGTERM');
      expect(new Set(forwarded.slice(first))).toEqual(new Set(stored.slice(before)));
      expect(readFileSync(state, 'utf8')).toBe(`${String(before + 2)}\n`);
    },
  );

  it('forwards an event until the answer is 200, says so once, and nothing overtakes it', async () => {
    const [before, first] = [stored.length, forwarded.length];
    const listener = start('--state', placeIn('down'));
    await listener.listening();
    answers.push(500, 503, 404, 204);
    store(2);
    await until(() => forwarded.at(-1) === stored.at(-1));
    await listener.exitCode('SIGTERM');
    const [held = '', next] = stored.slice(before);
    expect(forwarded.slice(first)).toEqual([held, held, held, held, held, next]);
    expect(listener.said.err.split(held)).toHaveLength(2);
    expect(listener.said.err).toContain(`payment.completed ${held} was answered 500: it is forwarded again until the answer is 200\n`);
    expect(listener.said.out.match(/answered \d+/g)).toEqual(['answered 200', 'answered 200']);
  });

  it('1: an event that does not verify is not forwarded and comes again when the key is there', async () => {
    const state = placeIn('rotated');
    const [before, first] = [stored.length, forwarded.length];
    const listener = start('--state', state, '--key', `${wrongKey.keyId}:${wrongKey.secret}`);
    await listener.listening();
    store(1);
    expect(await listener.exitCode()).toBe(1);
    expect(listener.said).toMatchObject({
      out: '',
      err: expect.stringContaining(
        `payment.completed ${String(stored.at(-1))} is not verified (unknown key: signed with unknown keys: k1); the place stays before it: start again with the right --key\n`,
      ),
    });
    expect([readFileSync(state, 'utf8'), forwarded.length]).toEqual([`${String(before)}\n`, first]);
    const again = start('--state', state);
    await until(() => forwarded.length > first);
    await again.exitCode('SIGTERM');
    expect(forwarded.slice(first)).toEqual(stored.slice(before));
  });

  it('reads an event anew whose signature became stale on the way', async () => {
    const first = forwarded.length;
    const listener = start('--state', placeIn('stale'));
    await listener.listening();
    signing.push({ key: callbackKey, ageMs: 3_600_000 });
    store(1);
    await until(() => forwarded.length > first);
    await listener.exitCode('SIGTERM');
    expect(listener.said.out).not.toContain('NOT VERIFIED');
  });

  it('without it: an event that does not verify is only printed, one that is not taken is passed over after four times', async () => {
    const [before, first] = [stored.length, forwarded.length];
    const listener = start();
    await listener.listening();
    signing.push({ key: wrongKey, ageMs: 0 }, { key: callbackKey, ageMs: 0 }, { key: callbackKey, ageMs: 0 });
    signing.push({ key: wrongKey, ageMs: 0 });
    answers.push(503, 503, 503, 503);
    store(3);
    await until(() => forwarded.at(-1) === stored.at(-1));
    await listener.exitCode('SIGTERM');
    const [, held, next] = stored.slice(before);
    expect(forwarded.slice(first)).toEqual([held, held, held, held, next]);
    expect(listener.said.out.match(/NOT VERIFIED|answered \d+/g)).toEqual(['NOT VERIFIED', 'answered 503', 'answered 200']);
  });
});
