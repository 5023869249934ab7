import { frontConfig, serviceUrl } from '@pay/shared/config/config.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { z } from 'zod';

/** The configuration of the partner portal. It has no key and no database. */
export const PortalConfig = z
  .object({
    ...frontConfig,
    /** The portal's own origin, as browsers see it. Requests that change something must come from it. */
    PUBLIC_URL: serviceUrl,
    /** Our own proxies in front of the portal. A visitor's address is the one they report. */
    TRUSTED_PROXIES: trustedProxies,
    /** The private port of the gateway, which knows the portal's sessions. */
    GATEWAY_PORTAL_URL: serviceUrl,
  })
  .superRefine((config, ctx) => {
    if (config.ENVIRONMENT === 'LIVE' && !config.PUBLIC_URL.startsWith('https:'))
      ctx.addIssue({ code: 'custom', path: ['PUBLIC_URL'], message: 'must be https with ENVIRONMENT=LIVE' });
  });
