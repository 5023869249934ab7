import { z } from 'zod';
import { commandConfig, readConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { SERVER } from './use-cases/account-audit.ts';
import { unlockOperator } from './use-cases/manage-operators.ts';

// node services/console/src/unlock.ts <login> …: unlocks the passwords and codes of these people, when no administrator can
// (docs/operate/runbooks/administrators.md).
const logins = process.argv.slice(2).map((login) => z.email().toLowerCase().parse(login));
if (logins.length === 0) throw new Error('name the logins to unlock');
const config = readConfig(z.object(commandConfig), process.env);
const database = openDatabase({
  url: directUrlOf(config),
  applicationName: 'console-unlock',
  onIdleError: () => undefined,
});
try {
  for (const login of logins) {
    await unlockOperator(database.db, SERVER, login);
    process.stdout.write(`${login} is unlocked\n`);
  }
} finally {
  await database.close();
}
