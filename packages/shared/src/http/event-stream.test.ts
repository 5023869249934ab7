import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { sendEventStream, type StreamSource } from './event-stream.ts';
import { listen, type Listener } from './server.ts';

const LIMITS = { lifetimeMs: 60_000, heartbeatMs: 10_000, slowMs: 10_000 };
let listener: Listener | undefined;
afterEach(async () => {
  await listener?.drain(0);
});

/** A connection to a server that streams what `source` says. */
async function open(source: StreamSource, limits: Partial<typeof LIMITS> = {}): Promise<{ socket: Socket; over: Promise<null> }> {
  const sent = Promise.withResolvers<null>();
  listener = await listen(
    (_req, res) => {
      sendEventStream(res, 'test', source, { ...LIMITS, ...limits }).then(() => {
        sent.resolve(null);
      }, sent.reject);
    },
    '127.0.0.1',
    0,
  );
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return { socket, over: sent.promise };
}

const untilAborted: StreamSource = async function* (ended) {
  yield [{ id: '7' }];
  if (!ended.aborted) await once(ended, 'abort');
};

it('says where it begins, then each message; and ends after its lifetime', async () => {
  const { socket } = await open(
    async function* (ended) {
      yield [{ id: '7' }];
      yield [{ id: '8', type: 'payment.completed', data: { text: 'two\nlines' } }];
      await once(ended, 'abort');
    },
    { lifetimeMs: 50 },
  );
  const answer = await text(socket);
  expect(answer).toContain('Content-Type: text/event-stream; charset=utf-8');
  for (const part of ['retry: 500\n\n', 'id: 7\n\n', 'id: 8\nevent: payment.completed\ndata: {"text":"two\\nlines"}\n\n'])
    expect(answer).toContain(part);
});

it('ends after a minute, and not before (D5)', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
  try {
    const begun = Promise.withResolvers<null>();
    let hasEnded = false;
    listener = await listen(
      (_req, res) => {
        void sendEventStream(res, 'test', async function* (ended) {
          ended.addEventListener('abort', () => (hasEnded = true));
          begun.resolve(null);
          yield [{ id: '7' }];
          if (!ended.aborted) await once(ended, 'abort');
        });
      },
      '127.0.0.1',
      0,
    );
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await begun.promise;
    jest.advanceTimersByTime(59_999);
    expect(hasEnded).toBe(false);
    jest.advanceTimersByTime(1);
    expect(hasEnded).toBe(true);
    await text(socket);
  } finally {
    jest.useRealTimers();
  }
});

it('sends heartbeats while nothing happens', async () => {
  const { socket } = await open(untilAborted, { heartbeatMs: 5, lifetimeMs: 200 });
  expect((await text(socket)).split(':\n\n').length).toBeGreaterThan(3);
});

it('a client that does not read is cut, and nothing more is read for it', async () => {
  const large = 'x'.repeat(1024 * 1024);
  let read = 0;
  const { socket, over } = await open(
    async function* () {
      for (;;) {
        yield [{ id: String((read += 1)), data: large }];
        await setImmediate();
      }
    },
    { slowMs: 100 },
  );
  socket.pause();
  await over;
  // What fits between the two ends, and no more.
  expect(read).toBeLessThan(30);
  socket.resume();
  await once(socket, 'close');
});

it('ends when its source fails, or its listener drains', async () => {
  const failing = await open(async function* () {
    await setImmediate();
    yield [{ id: '7' }];
    throw new Error('no database');
  });
  failing.socket.resume();
  await once(failing.socket, 'close');
  expect(failing.socket.bytesRead).toBeGreaterThan(0);
  await listener?.drain(0);
  const draining = await open(untilAborted);
  await once(draining.socket, 'data');
  draining.socket.resume();
  await listener?.drain(10_000);
  expect(await draining.over).toBeNull();
});

it('ends at once when it begins while its listener drains', async () => {
  const asked = Promise.withResolvers<null>();
  const drains = Promise.withResolvers<null>();
  listener = await listen(
    (_req, res) => {
      asked.resolve(null);
      void drains.promise.then(() => sendEventStream(res, 'test', untilAborted, LIMITS));
    },
    '127.0.0.1',
    0,
  );
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await asked.promise;
  const drained = listener.drain(10_000);
  drains.resolve(null);
  const answer = await text(socket);
  expect(answer).toContain('id: 7\n\n');
  // The last chunk: it was not cut.
  expect(answer.endsWith('0\r\n\r\n')).toBe(true);
  await drained;
});
