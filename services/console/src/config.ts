import { commandConfig, key32, outsideUrl, secret, serviceConfig, serviceUrl } from '@pay/shared/config/config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { identityPrivateKey } from '@pay/shared/keys/identity-keys.ts';
import { z } from 'zod';
import type { CompanyRules } from './sign-in/company.ts';
import type { AuthSecrets } from './sign-in/secrets.ts';

const authConfig = {
  /** Signs the session cookies and encrypts the second factors. */
  AUTH_SECRET: secret(key32),
  /** The previous secret, during a rotation: its cookies and second factors are still valid. */
  AUTH_SECRET_PREVIOUS: secret(key32).optional(),
} as const;

/**
 * The console's configuration: its own address, how people sign in, the key that vouches for them, and the addresses of
 * the operator APIs.
 */
export const Config = z
  .object({
    ...serviceConfig,
    /** The console's own origin, as browsers see it. Requests that change something must come from it. */
    PUBLIC_URL: serviceUrl,
    /** Our own proxies in front of the console. An operator's address is the one they report. */
    TRUSTED_PROXIES: trustedProxies,
    /** Signs operators' identities for the services, which have the public key. */
    OPERATOR_IDENTITY_PRIVATE_KEY: secret(identityPrivateKey),
    ...authConfig,
    /** `required`: a person with a password can do nothing before they have set up a second factor. */
    SECOND_FACTOR: z.enum(['required', 'optional']).default('required'),
    /**
     * The discovery document of the company's own sign-in (`…/.well-known/openid-configuration`). All three or none.
     */
    OIDC_DISCOVERY_URL: outsideUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: secret(z.string().min(1)).optional(),
    /** How the issuer identifies the company: `own-issuer`, or the claim that names it if one issuer serves many. */
    OIDC_TENANT: z
      .string()
      .regex(/^(?:own-issuer|(?:tid|hd)=\S+)$/, 'must be own-issuer, tid=… or hd=…')
      .optional(),
    /** Comma-separated values of `acr` or `amr`; any of them proves a second factor. */
    OIDC_SECOND_FACTOR: z.string().min(1).default('mfa'),
    /** TEST only: the public API to which the page of the reference sends what it signed (decisions/console-pages). */
    TRY_IT_API_URL: serviceUrl.optional(),
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
      if (config.TRY_IT_API_URL !== undefined) problem('TRY_IT_API_URL', 'must not be set with ENVIRONMENT=LIVE');
      if (config.SECOND_FACTOR !== 'required') problem('SECOND_FACTOR', 'must be required with ENVIRONMENT=LIVE');
    }
    const oidc = [config.OIDC_DISCOVERY_URL, config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET];
    const given = oidc.filter((value) => value !== undefined).length;
    if (given !== 0 && config.ENVIRONMENT === 'LIVE' && config.OIDC_TENANT === undefined)
      problem('OIDC_TENANT', 'is required for the company’s own sign-in with ENVIRONMENT=LIVE');
    if (given !== 0 && given !== oidc.length) problem('OIDC_DISCOVERY_URL', 'set all OIDC_… variables or none of them');
  });
export type Config = Readonly<z.output<typeof Config>>;

/** The configuration of the re-encryption command. */
export const ReencryptConfig = z.object({ ...authConfig, ...commandConfig });

/** The secrets in the form that the sign-in library expects. */
export function authSecretsOf({
  AUTH_SECRET: current,
  AUTH_SECRET_PREVIOUS: previous,
}: Pick<Config, 'AUTH_SECRET' | 'AUTH_SECRET_PREVIOUS'>): AuthSecrets {
  return { current: current.toString('base64'), previous: previous?.toString('base64') };
}

/** The company's own sign-in; undefined if there is none. */
export function companyOf(config: Config) {
  const { OIDC_DISCOVERY_URL, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_TENANT } = config;
  if (OIDC_DISCOVERY_URL === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined) return undefined;
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
