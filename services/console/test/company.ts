import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A company's own sign-in: OpenID Connect over HTTP, with discovery, PKCE, nonce and RS256. Its claims are up to the
 * test.
 */
export type TestCompany = {
  readonly discoveryUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claims of the next ID token besides the mandatory ones. */
  claims: Readonly<Record<string, unknown>>;
  /** Where the browser is redirected after signing in there. */
  authorize(url: string): string;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';

export async function startTestCompany(): Promise<TestCompany> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const asked = new Map<string, URLSearchParams>();
  const client = { clientId: 'console', clientSecret: 'a secret of the console' };
  let issuer = '';

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const idToken = (nonce: string | null) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: client.clientId, iat: now, exp: now + 60, ...(nonce === null ? {} : { nonce }) };
    const unsigned = `${encode({ alg: 'RS256', kid: 'k1' })}.${encode({ ...claims, ...company.claims })}`;
    return `${unsigned}.${sign('sha256', Buffer.from(unsigned), privateKey).toString('base64url')}`;
  };
  const exchange = (form: URLSearchParams): { status: number; body: unknown } => {
    const query = asked.get(form.get('code') ?? '');
    asked.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (query?.get('code_challenge') !== challenge) return { status: 400, body: { error: 'invalid_grant' } };
    const token = { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: idToken(query.get('nonce')) };
    return { status: 200, body: token };
  };
  const answer = (path: string, form: URLSearchParams): { status: number; body: unknown } => {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            id_token_signing_alg_values_supported: ['RS256'],
          },
        };
      case '/keys':
        return {
          status: 200,
          body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] },
        };
      case '/token':
        return exchange(form);
      default:
        return { status: 404, body: {} };
    }
  };

  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const { status, body } = answer(request.url ?? '', new URLSearchParams(text));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  issuer = `http://${HOST}:${String((server.address() as AddressInfo).port)}`;

  const company: TestCompany = {
    ...client,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    claims: {},
    authorize(url) {
      const { searchParams } = new URL(url);
      const code = `code-${String(asked.size)}-${searchParams.get('state') ?? ''}`;
      asked.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return `${back.pathname}${back.search}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return company;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
