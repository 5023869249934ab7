import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { ConfigError, readConfig } from '@pay/shared/config/config.ts';
import { encryptionKeysOf } from '@pay/shared/encryption/encryption-config.ts';
import { ReencryptConfig } from './config.ts';
import { reencryptSecrets } from './use-cases/reencrypt-secrets.ts';

// The command `node services/notifier/src/reencrypt.ts`: re-encrypts every stored secret under the current key.
try {
  const config = readConfig(ReencryptConfig, process.env);
  const database = openDatabase({
    url: directUrlOf(config),
    applicationName: 'notifier-reencrypt',
    onIdleError: () => undefined,
  });
  try {
    const count = await reencryptSecrets(database.db, encryptionKeysOf(config));
    process.stdout.write(`${String(count)} secrets are now encrypted under the key ${config.ENCRYPTION_KEY_ID}\n`);
  } finally {
    await database.close();
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`notifier: ${error.message}\n`);
  process.exitCode = 1;
}
