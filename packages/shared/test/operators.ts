import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  operatorIdentitySigner,
  operatorIdentityVerifier,
  type Operator,
  type OperatorIdentityVerifier,
} from '../src/operators/operator-identity.ts';
import { renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { checkDescribed } from './operator-answers.ts';

/** A call of an operator API as a given operator. */
export type OperatorCall = {
  readonly method?: string;
  /** Bytes and text are sent as is; anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
/** A bare login means an administrator. */
export type Somebody = string | (Pick<Operator, 'login'> & Partial<Operator>);

/** A console that vouches for the operator that a test names, and the keys with which a service verifies it. */
export type TestConsoleKey = {
  readonly privateKeyBase64: string;
  readonly publicKey: string;
  verifierOf(audience: string): OperatorIdentityVerifier;
  /** `fetch` with the identity of this operator for this request. */
  fetchAs(audience: string, who: Somebody, url: string, call?: OperatorCall): Promise<Response>;
};

export function testConsoleKey(): TestConsoleKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sign = operatorIdentitySigner(privateKey);
  const line = renderOpenSshKey(publicKey);
  return {
    privateKeyBase64: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: line,
    verifierOf: (audience) => operatorIdentityVerifier(audience, [line]),
    fetchAs: async (audience, who, url, { method = 'GET', body, headers = {} } = {}) => {
      const operator = typeof who === 'string' ? { login: who } : who;
      const { pathname, search } = new URL(url);
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const bodySha256 = createHash('sha256')
        .update(text ?? '')
        .digest('hex');
      const identity = sign(
        audience,
        { role: 'admin', sessionId: 'session', notIndependentOf: [], ...operator },
        { method, target: `${pathname}${search}`, bodySha256 },
      );
      const response = await fetch(url, {
        method,
        headers: {
          'x-operator-identity': identity,
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      });
      await checkDescribed({ audience, method, path: pathname }, response.clone());
      return response;
    },
  };
}
