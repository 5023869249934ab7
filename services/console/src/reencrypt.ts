import { ConfigError, readConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { authSecretsOf, ReencryptConfig } from './config.ts';
import { reencryptSecondFactors } from './use-cases/reencrypt-second-factors.ts';

// The command `node services/console/src/reencrypt.ts`: re-encrypts every second factor under the current secret.
try {
  const config = readConfig(ReencryptConfig, process.env);
  const database = openDatabase({
    url: directUrlOf(config),
    applicationName: 'console-reencrypt',
    onIdleError: () => undefined,
  });
  try {
    const count = await reencryptSecondFactors(database.db, authSecretsOf(config));
    process.stdout.write(`${String(count)} second factors are now encrypted under AUTH_SECRET\n`);
  } finally {
    await database.close();
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`console: ${error.message}\n`);
  process.exitCode = 1;
}
