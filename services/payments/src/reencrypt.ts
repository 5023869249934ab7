import { ConfigError, readConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { encryptionKeysOf } from '@pay/shared/encryption/encryption-config.ts';
import { ReencryptConfig } from './config.ts';
import { reencryptCardTokens } from './use-cases/saved-card/reencrypt-card-tokens.ts';

// The command `node services/payments/src/reencrypt.ts`: re-encrypts every card token with the current key.
try {
  const config = readConfig(ReencryptConfig, process.env);
  const database = openDatabase({
    url: directUrlOf(config),
    applicationName: 'payments-reencrypt',
    onIdleError: () => undefined,
  });
  try {
    const count = await reencryptCardTokens(database.db, encryptionKeysOf(config));
    process.stdout.write(`${String(count)} card tokens are now under the key ${config.ENCRYPTION_KEY_ID}\n`);
  } finally {
    await database.close();
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`payments: ${error.message}\n`);
  process.exitCode = 1;
}
