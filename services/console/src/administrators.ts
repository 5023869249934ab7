import { text } from 'node:stream/consumers';
import { hashPassword } from 'better-auth/crypto';
import { z } from 'zod';
import { commandConfig, readConfig } from '@pay/shared/config/config.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { appointAdministrators } from './use-cases/appoint-administrators.ts';

// Reads administrators as JSON from stdin and prints their first passwords, as long as fewer than two can sign in. This is how
// the first two are created, and replaced later. Two people run it together (docs/operate/runbooks/administrators.md).
const Config = z.object(commandConfig);
const Input = z.strictObject({
  administrators: z.array(z.strictObject({ login: z.email().toLowerCase(), name: z.string().trim().min(1).max(140) })),
});

const config = readConfig(Config, process.env);
const { administrators } = Input.parse(JSON.parse(await text(process.stdin)));
const database = openDatabase({
  url: directUrlOf(config),
  applicationName: 'console-administrators',
  onIdleError: () => undefined,
});
try {
  const appointed = await appointAdministrators(database.db, administrators, hashPassword);
  process.stdout.write(`${JSON.stringify({ administrators: appointed }, null, 2)}\n`);
} finally {
  await database.close();
}
