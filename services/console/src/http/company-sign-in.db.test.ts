import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cookiesOf, startTestConsole, type TestConsole } from '../../test/app.ts';
import { testConsoleKey } from '../../../../packages/shared/test/operators.ts';
import { startTestCompany, type TestCompany } from '../../test/company.ts';
import { Config } from '../config.ts';

let company: TestCompany;
let t: TestConsole;
beforeAll(async () => {
  company = await startTestCompany();
  const { discoveryUrl, clientId, clientSecret } = company;
  const rules = { tenant: { claim: 'hd', value: 'example.com' }, secondFactor: ['mfa', 'phr'] } as const;
  t = await startTestConsole({ secondFactor: 'required', company: { discoveryUrl, clientId, clientSecret, rules } });
});
beforeEach(() => t.rows('delete from rate_limits'));
afterAll(async () => {
  await t.close();
  await company.close();
});

const GOOD = {
  sub: 'subject-1',
  email: 'finance@example.com',
  email_verified: true,
  hd: 'example.com',
  amr: ['pwd', 'mfa'],
};

/** Whether a person with these claims gets signed in, and if not, why. */
async function signInAs(claims: Readonly<Record<string, unknown>>): Promise<{ status: number; reason: unknown }> {
  company.claims = claims;
  const begun = await t.call('POST', '/api/auth/sign-in/social', { body: { provider: 'company', callbackURL: '/' } });
  const back = company.authorize(String(begun.body['url']));
  const returned = await t.call('GET', back, { cookie: cookiesOf(begun) });
  const session = await t.call('GET', '/api/session', { cookie: cookiesOf(returned) });
  const [row] = await t.rows('select after, status from audit order by position desc limit 1');
  expect(row?.['status']).toBe(session.status);
  return { status: session.status, reason: (row?.['after'] as Record<string, unknown> | undefined)?.['reason'] };
}

describe('OIDC: the company’s own sign-in', () => {
  it('200: signs in whom an administrator made, with a verified address, of our tenant, with a second factor', async () => {
    expect(await signInAs(GOOD)).toEqual({ status: 200, reason: undefined });
    // `acr` proves it as well as `amr`.
    expect(await signInAs({ ...GOOD, amr: undefined, acr: 'phr' })).toEqual({ status: 200, reason: undefined });
  });

  it.each([
    ['EMAIL_NOT_VERIFIED', 'an address that it has not verified', { ...GOOD, email_verified: false }],
    ['EMAIL_NOT_VERIFIED', 'an address of which it does not say', { ...GOOD, email_verified: undefined }],
    ['CLAIMS_MISSING', 'a yes that is a text', { ...GOOD, email_verified: 'true' }],
    ['OTHER_TENANT', 'somebody else’s tenant', { ...GOOD, hd: 'evil.example' }],
    ['OTHER_TENANT', 'no tenant', { ...GOOD, hd: undefined }],
    ['NO_SECOND_FACTOR', 'a password alone', { ...GOOD, amr: ['pwd'] }],
    ['NO_SECOND_FACTOR', 'no word of how', { ...GOOD, amr: undefined }],
    ['NO_SECOND_FACTOR', 'an acr that names another way', { ...GOOD, amr: undefined, acr: 'pwd' }],
    ['CLAIMS_MISSING', 'an amr that is a text', { ...GOOD, amr: 'mfa' }],
    ['CLAIMS_MISSING', 'no address', { ...GOOD, email: undefined }],
  ])('401 %s: OIDC: refuses %s, on record', async (reason, _what, claims) => {
    expect(await signInAs(claims)).toEqual({ status: 401, reason });
  });

  it('401: OIDC: nobody registers himself', async () => {
    expect((await signInAs({ ...GOOD, sub: 'subject-3', email: 'stranger@example.com' })).status).toBe(401);
  });

  it('OIDC: LIVE demands to be told whose issuer it is; TEST and a LIVE without the company’s own sign-in do not', () => {
    const key = () => randomBytes(32).toString('base64');
    const operators = ['GATEWAY', 'PAYMENTS', 'BINDINGS', 'WITHDRAWALS', 'NOTIFIER'];
    const base = {
      ENVIRONMENT: 'LIVE',
      DATABASE_URL: 'postgres://console@db.example/pay?sslmode=verify-full',
      PUBLIC_URL: 'https://console.example',
      AUTH_SECRET: key(),
      OPERATOR_IDENTITY_PRIVATE_KEY: testConsoleKey().privateKeyBase64,
      TRUSTED_PROXIES: 'none',
      PORT: '1',
      PRIVATE_PORT: '2',
      ...Object.fromEntries(operators.map((name) => [`${name}_OPERATOR_URL`, 'http://127.0.0.1:1'])),
    };
    const oidc = {
      OIDC_DISCOVERY_URL: 'https://id.example/.well-known/openid-configuration',
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'secret',
    };
    const said = (env: object) =>
      Config.safeParse({ ...base, ...env }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
    expect(said(oidc)).toEqual(['OIDC_TENANT is required for the company’s own sign-in with ENVIRONMENT=LIVE']);
    for (const tenant of ['own-issuer', 'tid=7a5e', 'hd=example.com']) expect(said({ ...oidc, OIDC_TENANT: tenant })).toEqual([]);
    expect([said({}), said({ ...oidc, ENVIRONMENT: 'TEST' })]).toEqual([[], []]);
  });

  it('OIDC: a tenant is named as such', () => {
    const said = (env: Readonly<Record<string, string>>) => {
      const parsed = Config.safeParse({ ENVIRONMENT: 'LIVE', ...env });
      return parsed.error?.issues.filter(({ path }) => path[0] === 'OIDC_TENANT').map(({ message }) => message);
    };
    expect(said({ OIDC_TENANT: 'anything' })).toEqual(['must be own-issuer, tid=… or hd=…']);
    for (const tenant of ['own-issuer', 'tid=7a5e', 'hd=example.com']) expect(said({ OIDC_TENANT: tenant })).toEqual([]);
  });
});
