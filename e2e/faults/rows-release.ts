import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrateDatabase } from '../../packages/shared/src/postgres/migrate.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { GRANTS } from '../../tools/infrastructure/migrate.ts';
import { replace } from './rows-process.ts';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

const REPLICATED = ['payments', 'bindings', 'withdrawals', 'notifier'] as const;
/** The parts of a version; dependencies are this checkout's. */
const PARTS = ['packages', 'services', 'package.json'] as const;

/** The commit before the newest migration; undefined if there is no history. */
function commitBefore(): string | undefined {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const newest = git('log', '-1', '--format=%H', '--', ...REPLICATED.map((name) => `services/${name}/migrations/*.sql`));
    return git('rev-parse', '--verify', `${newest}^`);
  } catch {
    return undefined;
  }
}

/** Another version of the code in its own folder, with this checkout's dependencies. */
function versionIn(system: FaultSystem, name: string, commit?: string): string {
  const root = join(system.world.system.folder, name);
  rmSync(root, { recursive: true, force: true });
  // Links stay as they are: those between packages are relative, and connect parts of the copy.
  for (const part of PARTS) cpSync(join(ROOT, part), join(root, part), { recursive: true, verbatimSymlinks: true });
  if (commit !== undefined) {
    for (const part of ['packages', 'services'] as const) removeSources(join(root, part));
    const archive = execFileSync('git', ['archive', commit, ...PARTS], { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 });
    execFileSync('tar', ['-x', '-C', root], { input: archive });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Yesterday's code must not find today's files. */
function removeSources(folder: string): void {
  execFileSync('find', [folder, '-type', 'f', '-not', '-path', '*/node_modules/*', '-delete']);
}

/** A version of payments whose payments have one more column. */
const COLUMN = 'of_tomorrow';
const MIGRATION = '9999_of_tomorrow';

/** The next version: it reads and writes a column that its migration adds. @returns its folder and its time */
function tomorrowIn(system: FaultSystem): { root: string; when: number } {
  const root = versionIn(system, 'tomorrow');
  const migrations = join(root, 'services/payments/migrations');
  const schema = join(root, 'services/payments/src/db/payment/schema.ts');
  const before = readFileSync(schema, 'utf8');
  const after = before.replace(/^( +)(readCount: smallint\('read_count'\))/m, `$1ofTomorrow: text('${COLUMN}'),\n$1$2`);
  if (after === before) throw new Error('the schema of payments is not written as this row knows it');
  writeFileSync(schema, after);
  const journal = join(migrations, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { when: number }[] };
  const when = Math.max(...entries.map((entry) => entry.when)) + 1;
  const entry = { idx: entries.length, version: '7', when, tag: MIGRATION, breakpoints: true };
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, entry] }));
  writeFileSync(join(migrations, `${MIGRATION}.sql`), `ALTER TABLE "payments" ADD COLUMN "${COLUMN}" text;`);
  return { root, when };
}

async function migrateTo(system: FaultSystem, root: string): Promise<void> {
  const { pathname } = new URL(system.world.system.state().databaseAdminUrl);
  const url = Object.assign(new URL(system.infrastructure.databaseUrl), { pathname });
  await migrateDatabase({
    url: url.href,
    schema: 'payments',
    folder: join(root, 'services/payments/migrations'),
    environment: 'TEST',
    role: 'payments',
    grants: GRANTS.payments,
  });
}

/** Starts it in place of the running replica; true if it ended because of its schema. */
async function endsForItsSchema(system: FaultSystem, root: string): Promise<boolean> {
  const log = join(system.world.system.logs, 'payments-1.log');
  const complaints = () => readFileSync(log, 'utf8').split(`lacks migration ${MIGRATION}`).length;
  const before = complaints();
  const isReady = await replace(system, 'payments', { root }).then(
    () => true,
    () => false,
  );
  return !isReady && complaints() > before;
}

export const RELEASE_ROWS: readonly Row[] = [
  {
    name: 'new-code-old-schema',
    fault:
      'one replica of payments replaced by a next version before its migration; then the migration, run under load; then both versions for 4 s',
    inject: async (system) => {
      const { root, when } = tomorrowIn(system);
      system.leftovers.push(() => rm(root, { recursive: true, force: true }));
      if (!(await endsForItsSchema(system, root))) throw new Error('the next version ran on a schema that it does not know');
      await wait(2_000);
      await migrateTo(system, root);
      await replace(system, 'payments', { root });
      await wait(4_000);
      await replace(system, 'payments', {});
      await system.query(`set lock_timeout = '2s'; alter table payments.payments drop column ${COLUMN}`);
      await system.query('delete from payments.migrations where created_at = $1', [when]);
    },
  },
  {
    name: 'old-code-new-schema',
    fault: 'one replica of each service behind the gateway, and the checkout, replaced by the commit before the newest migration, for 6 s',
    problem: () => (commitBefore() === undefined || !existsSync(join(ROOT, '.git')) ? 'there is no history of the code' : undefined),
    inject: async (system) => {
      const root = versionIn(system, 'yesterday', commitBefore());
      system.leftovers.push(() => rm(root, { recursive: true, force: true }));
      const programs = [...REPLICATED, 'checkout'] as const;
      await Promise.all(programs.map((program) => replace(system, program, { root })));
      await wait(6_000);
      await Promise.all(programs.map((program) => replace(system, program, {})));
    },
  },
];
