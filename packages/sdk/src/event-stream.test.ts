import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type ApiServer } from '../test/api-server.ts';
import { EVENT as event } from '../test/callbacks.ts';
import { signTestCallback } from './callbacks.ts';
import { ApiError, NoAnswerError } from './errors.ts';
import { streamEvents } from './event-stream.ts';
import { generateKeys } from './keys.ts';

// That nothing is lost over many breaks: packages/cli/src/partner/listen.test.ts, which follows streams with the same code.

const own = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: own.publicKey };
const KEY = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const OTHER = { keyId: 'k2', secret: Buffer.alloc(32, 8).toString('base64') };

/** A message as the service writes it. */
function messageOf(place: number, key = KEY, ageMs = 0): string {
  const { headers, body } = signTestCallback({ ...event, eventId: `e-${String(place)}` }, [key], new Date(Date.now() - ageMs)); // prettier-ignore
  const data = JSON.stringify({ eventId: `e-${String(place)}`, type: event.type, headers, body: body.toString() });
  return `id: ${String(place)}\nevent: ${event.type}\ndata: ${data}\n\n`;
}
const begin = (place: number) => `retry: 500\n\nid: ${String(place)}\n\n`;

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

/** What each response sends; the last one stays open, the others break off. */
function respond(...responses: readonly (readonly string[])[]): { readonly last: () => ServerResponse | undefined } {
  let open: ServerResponse | undefined;
  server.reply(
    ...responses.map((messages, index) => ({
      status: 200,
      respond: (_request: unknown, res: ServerResponse) => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        open = res;
        res.write(messages.join(''), () => {
          if (index < responses.length - 1) res.destroy();
        });
      },
    })),
  );
  return { last: () => open };
}

/** The first events of the stream, and the place of each. */
async function take(count: number, after?: string): Promise<readonly (readonly [string, string | undefined])[]> {
  const taken: (readonly [string, string | undefined])[] = [];
  for await (const one of streamEvents({ ...service, ...(after === undefined ? {} : { after }) })) {
    taken.push([one.place, one.event?.eventId]);
    if (taken.length === count) break;
  }
  return taken;
}

describe('streamEvents', () => {
  it('says where it begins, verifies each event, and continues behind the last one over a break', async () => {
    const { last } = respond([begin(7), messageOf(8)], [begin(8), messageOf(9), messageOf(10)]);
    expect(await take(4)).toEqual([
      ['7', undefined],
      ['8', 'e-8'],
      ['9', 'e-9'],
      ['10', 'e-10'],
    ]);
    expect(asked()).toEqual(['/api/event-stream', '/api/event-stream?after=8']);
    // Whoever leaves the loop leaves the connection.
    const res = last();
    if (res !== undefined && !res.closed) await once(res, 'close');
  });

  it('continues behind a place that was kept', async () => {
    respond([begin(5), messageOf(6)]);
    expect(await take(2, '5')).toEqual([
      ['5', undefined],
      ['6', 'e-6'],
    ]);
    expect(asked()).toEqual(['/api/event-stream?after=5']);
  });

  it('reads an event anew whose signature became stale on the way', async () => {
    respond([begin(1), messageOf(2, KEY, 3_600_000), messageOf(3)], [begin(1), messageOf(2), messageOf(3)]);
    expect((await take(3)).map(([place]) => place)).toEqual(['1', '2', '3']);
    expect(asked()).toEqual(['/api/event-stream', '/api/event-stream?after=1']);
  });

  it('ends with an error at an event that none of the keys has signed, and gives nothing of it', async () => {
    respond([begin(1), messageOf(2, OTHER)], [begin(1), messageOf(2, OTHER)]);
    await expect(take(2)).rejects.toThrow('payment.completed is not verified: signed with unknown keys: k2');
  });

  it('throws what the service answers, and that nobody answers', async () => {
    server.reply({ status: 400, body: { error: 'not valid', code: 'VALIDATION_FAILED' } });
    await expect(take(1)).rejects.toMatchObject({ name: ApiError.name, code: 'VALIDATION_FAILED' });
    // A page of a proxy.
    server.reply({ status: 200, headers: { 'Content-Type': 'text/html' }, text: '<html>\n\n' });
    await expect(take(1)).rejects.toBeInstanceOf(NoAnswerError);
    service = { ...service, baseUrl: 'http://127.0.0.1:1' };
    await expect(take(1)).rejects.toBeInstanceOf(NoAnswerError);
  });

  it('asks a service ever more slowly that opens streams and says nothing', async () => {
    respond([], [], [], [begin(1)]);
    const beganMs = performance.now();
    expect(await take(1)).toEqual([['1', undefined]]);
    // 100, 200 and 400 ms; three times 100 if each opened stream began the pauses anew. A slow machine only waits longer.
    expect(performance.now() - beganMs).toBeGreaterThan(650);
  });

  it('ends when its signal does, whatever has arrived', async () => {
    respond([begin(1), messageOf(2)]);
    const ending = new AbortController();
    const places: string[] = [];
    for await (const { place } of streamEvents({ ...service, signal: ending.signal })) {
      places.push(place);
      ending.abort();
    }
    expect(places).toEqual(['1']);
  });
});
