import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { decrypt, singleKey, type EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { reencryptCardTokens } from './reencrypt-card-tokens.ts';
import { cardTokenContext } from './save-card.ts';
import { readSavedCardLink, writeSavedCardLink } from './saved-card-link.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const cards = async () =>
  (await t.rows('select binding_id as id, card_token_encrypted as token from saved_cards order by binding_id')) as {
    id: string;
    token: string;
  }[];
const opened = async (keys: EncryptionKeys) =>
  (await cards()).map(({ id, token }) => decrypt(keys, token, cardTokenContext(id)).toString());

it('a change of the encryption key: every card token moves to the new key and opens with it alone', async () => {
  await t.givenSavedCard();
  await t.givenSavedCard();
  const before = t.deps.encryptionKeys;
  const tokens = await opened(before);
  const fresh = singleKey('k2', randomBytes(32));
  const changing = { ...fresh, previous: new Map([[before.current.id, before.current.key]]) };
  expect(await reencryptCardTokens(t.deps.db, changing)).toBe(2);
  expect((await cards()).every(({ token }) => token.startsWith('v1.k2.'))).toBe(true);
  expect(await opened(fresh)).toEqual(tokens);
  await expect(opened(before)).rejects.toThrow('not configured');
  expect(await reencryptCardTokens(t.deps.db, fresh)).toBe(0);
});

it('a buyer’s link to a saved card opens while the key it was signed with is named, and not after', () => {
  const before = t.deps.encryptionKeys;
  const fresh = singleKey('k2', randomBytes(32));
  const link = writeSavedCardLink(t.deps, 'binding-1');
  const named = { ...fresh, previous: new Map([[before.current.id, before.current.key]]) };
  expect(readSavedCardLink({ ...t.deps, encryptionKeys: named }, link)).toBe('binding-1');
  expect(readSavedCardLink({ ...t.deps, encryptionKeys: fresh }, link)).toBeUndefined();
});
