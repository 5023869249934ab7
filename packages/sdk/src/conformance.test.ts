import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { keyTexts, requestSigning } from '../../signing/test/vectors.ts';
import { startApiServer, type ApiServer } from '../test/api-server.ts';
import { createClient, type Client } from './client.ts';
import { ApiError, isRecord, NoAnswerError } from './errors.ts';
import { generateKeys } from './keys.ts';
import { everyItem } from './paging.ts';
import { readIdentity } from './sign.ts';
import type { ListPage } from './types.ts';

// The cases that every SDK passes, whatever its language.

const Case = z.object({
  name: z.string(),
  call: z.string(),
  arguments: z.array(z.unknown()),
  idempotencyKey: z.string().optional(),
  everyItem: z.boolean().optional(),
  replies: z.array(
    z.object({
      status: z.int(),
      text: z.string().default(''),
      headers: z.record(z.string(), z.string()).default({}),
      cut: z.boolean().default(false),
      withoutLength: z.boolean().default(false),
    }),
  ),
  sent: z.array(z.object({ method: z.string(), target: z.string(), body: z.string() })),
  result: z.unknown().optional(),
  error: z.looseObject({ kind: z.enum(['refused', 'no answer', 'invalid']), says: z.string().optional() }).optional(),
});
const path = new URL('../../../sdks/conformance/calls.json', import.meta.url);
const { cases } = z.object({ cases: z.array(Case) }).parse(JSON.parse(readFileSync(path, 'utf8')));

const AmountCase = Case.pick({ name: true, call: true, arguments: true, idempotencyKey: true, everyItem: true });
const amountsPath = new URL('../../../sdks/conformance/amounts.json', import.meta.url);
const { cases: refusedAmounts } = z.object({ cases: z.array(AmountCase) }).parse(JSON.parse(readFileSync(amountsPath, 'utf8')));

const ERRORS = { refused: ApiError, 'no answer': NoAnswerError, invalid: TypeError };

/** The order of a query means nothing: it is signed in the order of its names. */
function sorted(target: string): string {
  const [path, query = ''] = target.split('?');
  return `${String(path)}?${query.split('&').sort().join('&')}`;
}

type Call = (...given: readonly unknown[]) => Promise<unknown>;
type Pages = (query: object) => Promise<ListPage<unknown>>;

describe('what every SDK does', () => {
  const keys = generateKeys();
  const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
  let server: ApiServer;
  let client: Client;
  beforeAll(async () => {
    server = await startApiServer(partner);
    client = createClient({ baseUrl: server.url, ...partner, privateKeyPem: keys.privateKeyPem, backoffMs: 1 });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  async function called(one: z.output<typeof AmountCase>): Promise<unknown> {
    const { call, arguments: given, idempotencyKey } = one;
    const method = (client as unknown as Readonly<Record<string, Call>>)[call];
    if (method === undefined) throw new Error(`there is no ${call}`);
    if (one.everyItem !== true) return method(...given, ...(idempotencyKey === undefined ? [] : [{ idempotencyKey }]));
    const [query] = given;
    const items: unknown[] = [];
    for await (const item of everyItem((page) => (method as Pages)({ ...(isRecord(query) ? query : {}), ...page }))) items.push(item);
    return items;
  }

  describe('with the text of a key', () => {
    const pair = { partnerID: 'p', publicKey: requestSigning.publicKeyOpenSsh, privateKeyPem: requestSigning.privateKeyPkcs8Pem };
    const told = (given: Partial<typeof pair>) => {
      try {
        return readIdentity({ ...pair, ...given }).publicKey;
      } catch (error) {
        return error instanceof Error ? error.message : undefined;
      }
    };

    it.each(keyTexts.private)('private: $name (K5)', ({ text, says }) => {
      expect(told({ privateKeyPem: text })).toBe(says === undefined ? pair.publicKey : keyTexts.sentences.private[says]);
    });

    it.each(keyTexts.public)('public: $name (K5)', ({ text, says }) => {
      expect(told({ publicKey: text })).toBe(says === undefined ? pair.publicKey : keyTexts.sentences.public[says]);
    });

    it('of another pair (K5)', () => {
      expect(told({ publicKey: generateKeys().publicKey })).toBe(keyTexts.sentences.noPair);
    });
  });

  it.each(refusedAmounts)('takes no number as an amount: $name', async (one) => {
    const seen = server.requests.length;
    server.reply({ status: 500 });
    const ended: unknown = await called(one).catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(TypeError);
    expect(server.requests).toHaveLength(seen);
  });

  it.each(cases)('$name', async (one) => {
    const seen = server.requests.length;
    server.reply(...one.replies);
    const ended: unknown = await called(one).catch((error: unknown) => error);
    const { kind, says = '', ...members } = one.error ?? {};
    expect(kind === undefined ? ended : ended instanceof ERRORS[kind]).toEqual(kind === undefined ? one.result : true);
    expect(kind === undefined ? {} : JSON.parse(JSON.stringify(ended))).toMatchObject(members);
    expect(kind === undefined ? '' : String(ended)).toContain(says);
    const sent = server.requests.slice(seen);
    expect(sent.map(({ method, target, body }) => ({ method, target: sorted(target), body }))).toEqual(
      one.sent.map((each) => ({ ...each, target: sorted(each.target) })),
    );
    for (const { method, idempotencyKey } of sent) expect(idempotencyKey.length >= 16).toBe(method === 'POST');
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(Math.min(sent.length, 1));
    expect(new Set(sent.map(({ authorization }) => authorization['nonce'])).size).toBe(sent.length);
  });
});
