import pg from 'pg';

/** Privileges of a service's own role on the rows of a table. `select … for update` needs `update`. */
export type Right = 'select' | 'insert' | 'update' | 'delete';

/**
 * The privileges of a service's role, by table of its schema: exactly what the service uses, declared beside its tables
 * in `db/grants.ts`. The migration grants these and no others, and fails if a table is not declared
 * (decisions/hardening). In addition the role may read which migrations were run.
 */
export type Grants = Readonly<Record<string, readonly Right[]>>;

/** Audit logs and ledgers: rows are never changed. */
export const APPENDED = ['select', 'insert'] as const satisfies readonly Right[];
/** Rows that change but are never deleted. */
export const KEPT = ['select', 'insert', 'update'] as const satisfies readonly Right[];
/** Rows that are deleted but never changed. */
export const QUEUED = ['select', 'insert', 'delete'] as const satisfies readonly Right[];
/** Rows that are changed and deleted. */
export const ALL = ['select', 'insert', 'update', 'delete'] as const satisfies readonly Right[];

/** Tables that are the same in every service that has them (`postgres/schema.ts`). */
export const SHARED_GRANTS = {
  inbox: QUEUED,
  idempotency_records: ALL,
} as const satisfies Grants;
/** In addition, for a service that consumes. */
export const CONSUMER_GRANTS = { ...SHARED_GRANTS, dead_letters: ALL } as const satisfies Grants;

/** For a service with an operator API. */
export const OPERATOR_GRANTS = { used_identities: ALL } as const satisfies Grants;

/** Partners that live in another cell: read by triggers, written by the owner. */
export const MOVED_GRANTS = { moved_partners: ['select'] } as const satisfies Grants;

/** For a service that publishes facts. */
export const OUTBOX_GRANTS = {
  outbox: QUEUED,
  relay_lease: ['select', 'update'],
  /** Old partitions are dropped by `roll_published_partitions()`, which belongs to the owner. */
  published: QUEUED,
} as const satisfies Grants;

/** Whose privileges, and where. */
type Grantee = { readonly schema: string; readonly role: string; readonly grants: Grants };

/**
 * Sets a role's privileges in one schema to `grants`. Run by the owner of the tables.
 * @throws Error naming the tables that exist and are not declared, or are declared and do not exist
 */
export async function applyGrants(client: pg.ClientBase, grantee: Grantee): Promise<void> {
  const { schema, role, grants } = grantee;
  const present = await tablesOf(client, schema);
  const undeclared = present.filter((name) => !(name in grants));
  const absent = Object.keys(grants).filter((name) => !present.includes(name));
  if (undeclared.length + absent.length > 0)
    throw new Error(
      `db/grants.ts of ${schema} has to say what the service may do with each of its tables; ` +
        `not named: [${undeclared.join(', ')}]; not there: [${absent.join(', ')}]`,
    );
  const within = pg.escapeIdentifier(schema);
  const statements = ['tables', 'sequences'].map(
    (kind) => `revoke all on all ${kind} in schema ${within} from public, ${pg.escapeIdentifier(role)}`,
  );
  // In one transaction: a running service never lacks a privilege between two statements.
  await client.query(`begin; ${[...statements, ...grantsOf(present, grantee)].join('; ')}; commit`);
}

/**
 * Grants what `grants` says of the tables that are there so far, and revokes nothing: for a transaction of migrations that others
 * follow. When it commits, the running service may use what its statements now reach, such as the sequence of a new default.
 */
export async function grantSoFar(client: pg.ClientBase, grantee: Grantee): Promise<void> {
  await client.query(grantsOf(await tablesOf(client, grantee.schema), grantee).join('; '));
}

function grantsOf(present: readonly string[], { schema, role, grants }: Grantee): string[] {
  const [within, grantee] = [pg.escapeIdentifier(schema), pg.escapeIdentifier(role)];
  return [
    `grant usage on all sequences in schema ${within} to ${grantee}`,
    // At startup a program checks whether its migrations were run (`demand-migrated.ts`).
    `grant select on ${within}.migrations to ${grantee}`,
    ...Object.entries(grants)
      .filter(([table]) => present.includes(table))
      .map(([table, rights]) => `grant ${rights.join(', ')} on ${within}.${pg.escapeIdentifier(table)} to ${grantee}`),
  ];
}

/** Tables, excluding partitions (their parent's privileges count) and the migrator's own. */
async function tablesOf(client: pg.ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> 'migrations' order by relname`,
    [schema],
  );
  return rows.map(({ name }) => name);
}
