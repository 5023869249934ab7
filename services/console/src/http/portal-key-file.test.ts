import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyTexts, requestSigning } from '../../../../packages/signing/test/vectors.ts';

/** What the portal's page does with a key file. It is not imported: it is checked with the types of a browser. */
const PAGE = new URL('../web/portal/key-file.ts', import.meta.url).href;
type Page = { readonly signWithKeyFile: (file: Blob, text: string) => Promise<string> };
const { signWithKeyFile } = (await import(PAGE)) as Page;

const browser = globalThis as { window?: { readonly isSecureContext: boolean } };

describe('the portal, given a key file', () => {
  beforeAll(() => {
    browser.window = { isSecureContext: true };
  });
  afterAll(() => {
    delete browser.window;
  });

  const key = createPublicKey(requestSigning.privateKeyPkcs8Pem);
  /** Whether the signature is that of the key, or what the page says. */
  const told = async (text: string) => {
    try {
      const signature = await signWithKeyFile(new Blob([text]), 'a challenge');
      return verify(null, Buffer.from('a challenge'), key, Buffer.from(signature, 'base64'));
    } catch (error) {
      return error instanceof Error ? error.message : undefined;
    }
  };

  it.each(keyTexts.private)('$name (K5)', async ({ text, says }) => {
    expect(await told(text)).toBe(says === undefined ? true : keyTexts.sentences.private[says]);
  });
});
