import { commandConfig, key32, outsideUrl, secret, serviceConfig, serviceUrl } from '@pay/shared/config/config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { identityPrivateKey } from '@pay/shared/keys/identity-keys.ts';
import { z } from 'zod';
import type { CompanyRules } from './sign-in/company.ts';
import type { AuthSecrets } from './sign-in/secrets.ts';

const authConfig = {
  /** Signs the session cookies and encrypts the second factors. */
  AUTH_SECRET: secret(key32),
  /** The other one while it is changed: its cookies and second factors are good as well. */
  AUTH_SECRET_PREVIOUS: secret(key32).optional(),
} as const;

/**
 * What the console is configured with: its own address, how people sign in, the key that vouches for them, and where the
 * operator APIs are.
 */
export const Config = z
  .object({
    ...serviceConfig,
    /** The console's own origin, as browsers see it. Requests that change something must come from its pages. */
    PUBLIC_URL: serviceUrl,
    /** Proxies of ours before the console: an operator's address is the one they say they saw. */
    TRUSTED_PROXIES: trustedProxies,
    /** Signs for operators towards the services, which have the public half. */
    OPERATOR_IDENTITY_PRIVATE_KEY: secret(identityPrivateKey),
    ...authConfig,
    /** `required`: who signs in with a password does nothing before he has set up a second factor. */
    SECOND_FACTOR: z.enum(['required', 'optional']).default('required'),
    /** Where a company's own sign-in describes itself (`…/.well-known/openid-configuration`). All three or none. */
    OIDC_DISCOVERY_URL: outsideUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: secret(z.string().min(1)).optional(),
    /** Whose issuer it is: `own-issuer`, or the claim that names the company where one issuer serves many. */
    OIDC_TENANT: z
      .string()
      .regex(/^(?:own-issuer|(?:tid|hd)=\S+)$/, 'must be own-issuer, tid=… or hd=…')
      .optional(),
    /** Values of `acr` or `amr`, comma-separated, of which one says that there was a second factor. */
    OIDC_SECOND_FACTOR: z.string().min(1).default('mfa'),
    GATEWAY_OPERATOR_URL: serviceUrl,
    PAYMENTS_OPERATOR_URL: serviceUrl,
    BINDINGS_OPERATOR_URL: serviceUrl,
    WITHDRAWALS_OPERATOR_URL: serviceUrl,
    NOTIFIER_OPERATOR_URL: serviceUrl,
  })
  .superRefine((config, ctx) => {
    const problem = (name: string, message: string) => {
      ctx.addIssue({ code: 'custom', path: [name], message });
    };
    if (config.ENVIRONMENT === 'LIVE') {
      if (!config.PUBLIC_URL.startsWith('https:')) problem('PUBLIC_URL', 'must be https with ENVIRONMENT=LIVE');
      if (config.SECOND_FACTOR !== 'required') problem('SECOND_FACTOR', 'must be required with ENVIRONMENT=LIVE');
    }
    const oidc = [config.OIDC_DISCOVERY_URL, config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET];
    const given = oidc.filter((value) => value !== undefined).length;
    if (given !== 0 && config.ENVIRONMENT === 'LIVE' && config.OIDC_TENANT === undefined)
      problem('OIDC_TENANT', 'must be given with the company’s own sign-in and ENVIRONMENT=LIVE');
    if (given !== 0 && given !== oidc.length) problem('OIDC_DISCOVERY_URL', 'OIDC_… are given together or not at all');
  });
export type Config = Readonly<z.output<typeof Config>>;

/** What the re-encryption command needs. */
export const ReencryptConfig = z.object({ ...authConfig, ...commandConfig });

/** The secrets as the sign-in library takes them. */
export function authSecretsOf({
  AUTH_SECRET: current,
  AUTH_SECRET_PREVIOUS: previous,
}: Pick<Config, 'AUTH_SECRET' | 'AUTH_SECRET_PREVIOUS'>): AuthSecrets {
  return { current: current.toString('base64'), previous: previous?.toString('base64') };
}

/** The company's own sign-in; undefined where there is none. */
export function companyOf(config: Config) {
  const { OIDC_DISCOVERY_URL, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_TENANT } = config;
  if (OIDC_DISCOVERY_URL === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined)
    return undefined;
  const values = config.OIDC_SECOND_FACTOR.split(',').map((value) => value.trim());
  return {
    discoveryUrl: OIDC_DISCOVERY_URL,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    rules: { tenant: tenantOf(OIDC_TENANT), secondFactor: config.SECOND_FACTOR === 'required' ? values : undefined },
  };
}

function tenantOf(text: string | undefined): CompanyRules['tenant'] {
  const [claim, ...value] = (text ?? '').split('=');
  return claim === 'tid' || claim === 'hd' ? { claim, value: value.join('=') } : undefined;
}
