import { operatorIdentitySigner } from '@pay/shared/operators/operator-identity.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { obtainBundle } from './bundle/bundle.ts';
import { authSecretsOf, companyOf, Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createConsoleApp } from './http/app.ts';
import { createAuth } from './sign-in/auth.ts';
import { operatorApi } from './operator-apis/operator-api.ts';

await runService({
  name: 'console',
  sealed: 'console',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  build: async ({ config, log, db, database }) => {
    const company = companyOf(config);
    const authSecrets = authSecretsOf(config);
    const auth = createAuth({
      database,
      log,
      publicUrl: config.PUBLIC_URL,
      secrets: authSecrets,
      ...(company === undefined ? {} : { company }),
    });
    const sign = operatorIdentitySigner(config.OPERATOR_IDENTITY_PRIVATE_KEY);
    const deps: Deps = {
      db,
      log,
      auth,
      authSecrets,
      operatorApis: {
        gateway: operatorApi('gateway', config.GATEWAY_OPERATOR_URL, sign),
        payments: operatorApi('payments', config.PAYMENTS_OPERATOR_URL, sign),
        bindings: operatorApi('bindings', config.BINDINGS_OPERATOR_URL, sign),
        withdrawals: operatorApi('withdrawals', config.WITHDRAWALS_OPERATOR_URL, sign),
        notifier: operatorApi('notifier', config.NOTIFIER_OPERATOR_URL, sign),
      },
      publicUrl: config.PUBLIC_URL,
      tryItUrl: config.TRY_IT_API_URL,
      proxies: config.TRUSTED_PROXIES,
      secondFactor: config.SECOND_FACTOR,
      hasCompanySignIn: company !== undefined,
    };
    return {
      app: createConsoleApp(deps, await obtainBundle('console')),
    };
  },
});
