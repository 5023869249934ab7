import { readFileSync } from 'node:fs';
import { z } from 'zod';

// Reads and checks the vectors of this folder, so that a test can't pass on an empty or misspelled list.

const SigningCase = z.strictObject({
  name: z.string(),
  method: z.string(),
  target: z.string(),
  idempotencyKey: z.string(),
  body: z.string(),
  timestamp: z.string(),
  nonce: z.string(),
  canonicalQuery: z.string(),
  canonical: z.string(),
  sign: z.string(),
});
export type SigningCase = z.output<typeof SigningCase>;

const RequestSigning = z.strictObject({
  note: z.string(),
  privateKeyPkcs8Pem: z.string(),
  publicKeyOpenSsh: z.string(),
  partnerID: z.string(),
  cases: z.array(SigningCase).min(12),
});

const CallbackSigning = z.strictObject({
  keys: z.record(z.string(), z.string()),
  cases: z.array(z.strictObject({ name: z.string(), timestamp: z.string(), body: z.string(), signature: z.string() })).min(3),
});

const hex = z.string().transform((text) => Buffer.from(text, 'hex'));
const Wycheproof = z.object({
  numberOfTests: z.literal(151),
  testGroups: z.array(
    z.object({
      publicKey: z.object({ pk: hex }),
      tests: z.array(
        z.object({
          tcId: z.number(),
          comment: z.string(),
          msg: hex,
          sig: hex,
          result: z.enum(['valid', 'invalid']),
        }),
      ),
    }),
  ),
});

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8'));
}

const Sentences = z.record(z.string(), z.string());
const KeyText = z.union([
  z.strictObject({ name: z.string(), text: z.string(), taken: z.literal(true), says: z.undefined().optional() }),
  z.strictObject({ name: z.string(), text: z.string(), says: z.string() }),
]);
const KeyTexts = z.strictObject({
  about: z.string(),
  sentences: z.strictObject({ private: Sentences, public: Sentences, noPair: z.string() }),
  private: z.array(KeyText).min(50),
  public: z.array(KeyText).min(45),
});

export const requestSigning = RequestSigning.parse(read('request-signing.json'));
export const callbackSigning = CallbackSigning.parse(read('callback-signing.json'));
/** C2SP/wycheproof, testvectors_v1/ed25519_test.json (Apache-2.0). */
export const wycheproof = Wycheproof.parse(read('ed25519_test.json'));

const keys = new URL('../../../sdks/conformance/keys.json', import.meta.url);
/** What people paste for the keys of `requestSigning`, and what is said of what cannot be taken. */
export const keyTexts = KeyTexts.parse(JSON.parse(readFileSync(keys, 'utf8')));
