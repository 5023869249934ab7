import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { Config } from './config.ts';
import { createBindingsApp } from './http/app.ts';

await runService({
  name: 'bindings',
  schema: Config,
  swept: true,
  build: ({ config, log }) => ({
    app: createBindingsApp(log, internalTokenVerifier('bindings', config.INTERNAL_TOKEN_KEY)),
    broker: { url: config.AMQP_URL },
  }),
});
