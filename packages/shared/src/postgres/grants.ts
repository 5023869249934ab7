import pg from 'pg';

/** What a service's own role may do with the rows of a table. `select … for update` asks for `update`. */
export type Right = 'select' | 'insert' | 'update' | 'delete';

/**
 * What the role that a service runs as may do, by table of its schema: exactly what the service uses, named beside its
 * tables in `db/grants.ts`. The migration gives these rights and no others, and fails where a table is not named
 * (ADR 0095). Beside them it reads which migrations were run.
 */
export type Grants = Readonly<Record<string, readonly Right[]>>;

/** Audit logs and ledgers: what is written stays. */
export const APPENDED = ['select', 'insert'] as const satisfies readonly Right[];
/** Rows that change and are never gone. */
export const KEPT = ['select', 'insert', 'update'] as const satisfies readonly Right[];
/** Rows that go again, and do not change before that. */
export const QUEUED = ['select', 'insert', 'delete'] as const satisfies readonly Right[];
/** Rows that change and go. */
export const ALL = ['select', 'insert', 'update', 'delete'] as const satisfies readonly Right[];

/** The tables that are the same in every service that has them (`database/schema.ts`). */
export const SHARED_GRANTS = {
  inbox: QUEUED,
  idempotency_records: ALL,
} as const satisfies Grants;
/** Beside them in a service that consumes. */
export const CONSUMER_GRANTS = { ...SHARED_GRANTS, dead_letters: ALL } as const satisfies Grants;

/** Of a service that tells facts. */
export const OUTBOX_GRANTS = {
  outbox: QUEUED,
  relay_lease: ['select', 'update'],
  /** Old partitions go by `roll_published_partitions()`, which the owner made. */
  published: QUEUED,
} as const satisfies Grants;

/**
 * Makes a role's rights in one schema what `grants` says. For the owner of the tables.
 * @throws Error that names the tables which are there and not declared, or declared and not there.
 */
export async function applyGrants(client: pg.ClientBase, schema: string, role: string, grants: Grants): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES, [schema]);
  const present = rows.map(({ name }) => name);
  const undeclared = present.filter((name) => !(name in grants));
  const absent = Object.keys(grants).filter((name) => !present.includes(name));
  if (undeclared.length + absent.length > 0)
    throw new Error(
      `db/grants.ts of ${schema} has to say what the service may do with each of its tables; ` +
        `not named: [${undeclared.join(', ')}]; not there: [${absent.join(', ')}]`,
    );
  const [within, grantee] = [pg.escapeIdentifier(schema), pg.escapeIdentifier(role)];
  const statements = [
    `revoke all on all tables in schema ${within} from public, ${grantee}`,
    `revoke all on all sequences in schema ${within} from public, ${grantee}`,
    `grant usage on all sequences in schema ${within} to ${grantee}`,
    // A program looks at its start whether its migrations were run (`demand-migrated.ts`).
    `grant select on ${within}.migrations to ${grantee}`,
    ...Object.entries(grants).map(
      ([table, rights]) => `grant ${rights.join(', ')} on ${within}.${pg.escapeIdentifier(table)} to ${grantee}`,
    ),
  ];
  // At once or not at all: a service that runs meanwhile never lacks a right between two statements.
  await client.query(`begin; ${statements.join('; ')}; commit`);
}

/** Tables, without the partitions of one (their parent's rights count) and the migrator's own. */
const TABLES = `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p')
  and not relispartition and relname <> 'migrations' order by relname`;
