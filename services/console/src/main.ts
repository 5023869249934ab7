import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { obtainBundle } from './bundle/bundle.ts';
import { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createConsoleApp } from './http/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './http/operator-app.ts';
import { createAuth } from './sign-in/auth.ts';
import { operatorApi } from './upstreams/operator-api.ts';

await runService({
  name: 'console',
  schema: Config,
  build: async ({ config, log, db, database }) => {
    const { OIDC_DISCOVERY_URL, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config;
    const company =
      OIDC_DISCOVERY_URL === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined
        ? undefined
        : { discoveryUrl: OIDC_DISCOVERY_URL, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET };
    const auth = createAuth({
      database,
      log,
      publicUrl: config.PUBLIC_URL,
      secret: config.AUTH_SECRET.toString('base64'),
      ...(company === undefined ? {} : { company }),
    });
    const deps: Deps = {
      db,
      log,
      auth,
      upstreams: {
        gateway: operatorApi('gateway', config.GATEWAY_OPERATOR_URL, config.GATEWAY_OPERATOR_TOKEN_KEY),
        payments: operatorApi('payments', config.PAYMENTS_OPERATOR_URL, config.PAYMENTS_OPERATOR_TOKEN_KEY),
        bindings: operatorApi('bindings', config.BINDINGS_OPERATOR_URL, config.BINDINGS_OPERATOR_TOKEN_KEY),
        withdrawals: operatorApi('withdrawals', config.WITHDRAWALS_OPERATOR_URL, config.WITHDRAWALS_OPERATOR_TOKEN_KEY),
        notifier: operatorApi('notifier', config.NOTIFIER_OPERATOR_URL, config.NOTIFIER_OPERATOR_TOKEN_KEY),
      },
      publicUrl: config.PUBLIC_URL,
      proxies: config.TRUSTED_PROXIES,
      secondFactor: config.SECOND_FACTOR,
      hasCompanySignIn: company !== undefined,
    };
    return {
      app: createConsoleApp(deps, await obtainBundle()),
      operatorApp: createOperatorApp(deps, internalTokenVerifier(OPERATOR_AUDIENCE, config.OPERATOR_TOKEN_KEY)),
    };
  },
});
