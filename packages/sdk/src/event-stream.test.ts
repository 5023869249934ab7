import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callbackKey, signCallback } from '@pay/signing/callback-signature.ts';
import { z } from 'zod';
import { startApiServer, type ApiServer, type Reply } from '../test/api-server.ts';
import { EVENT as event } from '../test/callbacks.ts';
import { ApiError, NoAnswerError } from './errors.ts';
import { streamEvents } from './event-stream.ts';
import { generateKeys } from './keys.ts';

// That nothing is lost over many breaks: packages/cli/src/partner/listen.test.ts, which follows streams with the same code.

const own = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: own.publicKey };
const KEY = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const OTHER = { keyId: 'k2', secret: Buffer.alloc(32, 8).toString('base64') };

const WrittenMessage = z.object({
  begin: z.string().optional(),
  event: z.string().optional(),
  type: z.string().default(event.type),
  key: z.enum(['k1', 'k2']).default('k1'),
  ageSeconds: z.int().default(0),
  cutAfter: z.int().optional(),
});
const Case = z.object({
  name: z.string(),
  after: z.string().optional(),
  responses: z.array(
    z.object({
      messages: z.array(WrittenMessage).optional(),
      cut: z.boolean().default(false),
      status: z.int().default(200),
      headers: z.record(z.string(), z.string()).default({}),
      text: z.string().default(''),
    }),
  ),
  asked: z.array(z.string()),
  taken: z.array(z.tuple([z.string(), z.string().nullable()])),
  error: z.looseObject({ kind: z.enum(['refused', 'no answer', 'not verified']), says: z.string().optional() }).optional(),
});
const path = new URL('../../../sdks/conformance/streams.json', import.meta.url);
const { cases } = z.object({ cases: z.array(Case) }).parse(JSON.parse(readFileSync(path, 'utf8')));
const ERRORS = { refused: ApiError, 'no answer': NoAnswerError, 'not verified': Error };

/** A message as the service writes it. */
function written({ begin, event: place, type, key, ageSeconds, cutAfter }: z.output<typeof WrittenMessage>): string {
  if (place === undefined) return beginAt(String(begin));
  const eventId = `e-${place}`;
  const body = JSON.stringify({ ...event, type, eventId });
  const { keyId, secret } = key === 'k1' ? KEY : OTHER;
  const signer = callbackKey(keyId, Buffer.from(secret, 'base64'));
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const headers = {
    'X-Service-Event-ID': eventId,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signCallback([signer], timestamp, Buffer.from(body)),
  };
  const data = JSON.stringify({ eventId, type, headers, body });
  return `id: ${place}\nevent: ${type}\ndata: ${data}\n\n`.slice(0, cutAfter);
}
const beginAt = (place: string) => `retry: 500\n\n:\n\nid: ${place}\n\n`;

let server: ApiServer;
let service: Omit<Parameters<typeof streamEvents>[0], 'after' | 'signal'>;
let seen = 0;
beforeAll(async () => {
  server = await startApiServer(partner);
});
beforeEach(() => {
  seen = server.requests.length;
  service = { baseUrl: server.url, ...partner, privateKeyPem: own.privateKeyPem, keys: [KEY] };
});
afterAll(async () => {
  await server.close();
});
const asked = () => server.requests.slice(seen).map(({ target }) => target);

/** A response that writes messages and breaks off, unless `opened` does something else with it. */
const streaming = (messages: readonly string[], opened: (res: ServerResponse) => void = (res) => void res.destroy()): Reply => ({
  status: 200,
  respond: (_request, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write(messages.join(''), () => {
      opened(res);
    });
  },
});

/** The events of the stream, with the place of each, until there are `count`; and what ended it before. */
async function take(count: number, after?: string) {
  const taken: [string, string | null][] = [];
  const options = { ...service, ...(after === undefined ? {} : { after }) };
  try {
    for await (const one of streamEvents(options)) {
      taken.push([one.place, one.event?.eventId ?? null]);
      if (taken.length === count) break;
    }
  } catch (error) {
    return { taken, error };
  }
  return { taken, error: undefined };
}

describe('streamEvents', () => {
  it.each(cases)('as every SDK: $name', async ({ after, responses, asked: wanted, taken, error: expected }) => {
    server.reply(...responses.map(({ messages, ...reply }) => (messages === undefined ? reply : streaming(messages.map(written)))));
    const ended = await take(expected === undefined ? taken.length : Infinity, after);
    expect(ended.taken).toEqual(taken);
    expect(asked()).toEqual(wanted);
    const { kind, says = '', ...members } = expected ?? {};
    expect(kind === undefined ? ended.error === undefined : ended.error instanceof ERRORS[kind]).toBe(true);
    expect(ended.error ?? {}).toMatchObject(members);
    expect(String(ended.error)).toContain(says);
  });

  it('closes its connection when the loop is left', async () => {
    const opened = new Promise<ServerResponse>((resolve) => {
      server.reply(streaming([beginAt('1')], resolve));
    });
    await take(1);
    const response = await opened;
    if (!response.closed) await once(response, 'close');
    expect(response.closed).toBe(true);
  });

  it('has no answer where nobody listens', async () => {
    service = { ...service, baseUrl: 'http://127.0.0.1:1' };
    expect((await take(1)).error).toBeInstanceOf(NoAnswerError);
  });

  it('asks a service ever more slowly that opens streams and says nothing', async () => {
    server.reply(streaming([]), streaming([]), streaming([]), streaming([beginAt('1')]));
    const beganMs = performance.now();
    expect((await take(1)).taken).toEqual([['1', null]]);
    // 100, 200 and 400 ms; three times 100 if each opened stream began the pauses anew. A slow machine only waits longer.
    expect(performance.now() - beganMs).toBeGreaterThan(650);
  });

  it('ends when its signal does, whatever has arrived', async () => {
    server.reply(streaming([beginAt('1'), written(WrittenMessage.parse({ event: '2' }))]));
    const ending = new AbortController();
    const places: string[] = [];
    for await (const { place } of streamEvents({ ...service, signal: ending.signal })) {
      places.push(place);
      ending.abort();
    }
    expect(places).toEqual(['1']);
  });
});
