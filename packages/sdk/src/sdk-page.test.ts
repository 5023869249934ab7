import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createClient } from './client.ts';
import { ApiError } from './errors.ts';
import { generateKeys } from './keys.ts';

// Checks docs/partners/sdk.md against the SDK.

const page = readFileSync(new URL('../../../docs/partners/sdk.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const inCode = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
const section = (title: string) => page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

const keys = generateKeys();
const client = createClient({
  baseUrl: 'http://127.0.0.1:1',
  partnerID: 'p',
  publicKey: keys.publicKey,
  privateKeyPem: keys.privateKeyPem,
});

describe('docs/partners/sdk.md', () => {
  it('is right that the SDK depends on signing, and signing on nothing', () => {
    const Package = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });
    const dependenciesOf = (name: string) =>
      Package.parse(JSON.parse(readFileSync(new URL(`../../${name}/package.json`, import.meta.url), 'utf8'))).dependencies;
    expect(Object.keys(dependenciesOf('sdk'))).toEqual(['@pay/signing']);
    expect(dependenciesOf('signing')).toEqual({});
  });

  it('names every call of the client, and no other', () => {
    const calls = inCode(section('Calls')).map((code) => code.replace(/^client\./, '').replace(/\(.*$/s, ''));
    const verbs = /^(?:create|read|list|find|cancel|refund|revoke|replay|send|save|issue|request)[A-Z]?/;
    const named = calls.filter((name) => verbs.test(name) && /^[a-z]+[A-Za-z]*$/.test(name) && name !== 'requestId' && name !== 'refundId');
    expect([...new Set(named)].sort()).toEqual(
      Object.keys(client)
        .filter((name) => name !== 'close')
        .sort(),
    );
  });

  it('names members that an ApiError has', () => {
    const [, said = ''] = /`ApiError` has (.*?)\. `NoAnswerError`/s.exec(page) ?? [];
    const error = new ApiError({ status: 409, body: {}, retryAfterSeconds: 1, requestId: 'r', idempotencyKey: 'k' });
    expect(inCode(said).length).toBeGreaterThan(5);
    for (const member of inCode(said)) expect(Object.keys(error)).toContain(member);
  });

  it.each(
    [...`${page}${readme}`.matchAll(/import \{ ([^}]+) \} from '@pay\/sdk(?:\/([^']+))?'/g)].map(([, names = '', file = 'main']) => ({
      names,
      file,
    })),
  )('its examples and those of the README import what there is: $names of $file', async ({ names, file }) => {
    const module = (await import(`./${file}.ts`)) as object;
    for (const name of names.split(', ')) expect(Object.keys(module)).toContain(name);
  });

  it.each(['main.ts', 'web.ts', 'fastify.ts', 'event-store.ts', 'event-stream.ts', 'postgres-event-store.ts'])(
    'the functions of %s are those that it names',
    async (file) => {
      const module = (await import(`./${file}`)) as Readonly<Record<string, unknown>>;
      const functions = Object.keys(module).filter((name) => typeof module[name] === 'function' && /^[a-z]/.test(name));
      const named = [...page.matchAll(/\b([a-z]+[A-Z]\w*)\(/g)].map(([, name = '']) => name);
      expect(functions.filter((name) => !named.includes(name))).toEqual([]);
    },
  );
});
