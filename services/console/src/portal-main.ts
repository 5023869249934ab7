import { runFront } from '@pay/shared/service/run-front.ts';
import { obtainBundle } from './bundle/bundle.ts';
import { PortalConfig } from './portal-config.ts';
import { createPortalApp } from './portal/app.ts';
import { gatewayOfPortal } from './portal/gateway.ts';

/**
 * The partner portal as a process of its own: partners reach it, so it has none of the console's keys and no database. Who is
 * signed in, and as which partner, is the gateway's to say (decisions/portal-sessions).
 */
await runFront({
  name: 'portal',
  schema: PortalConfig,
  build: async (config, log) =>
    createPortalApp(
      {
        log,
        gateway: gatewayOfPortal(config.GATEWAY_PORTAL_URL),
        publicUrl: config.PUBLIC_URL,
        proxies: config.TRUSTED_PROXIES,
        environment: config.ENVIRONMENT,
      },
      await obtainBundle('portal'),
    ),
});
