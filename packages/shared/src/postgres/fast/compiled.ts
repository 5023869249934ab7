import {
  DrizzleQueryError,
  getTableColumns,
  Param,
  Placeholder,
  QueryPromise,
  sql,
  type GetColumnData,
  type SQL,
} from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { clientOf, type Client } from '../client-of.ts';
import type { Reader } from '../db.ts';
import { BUILDER, planOf, type Plan, type Preparable } from './compile.ts';
import type { Writer } from './one-statement.ts';
import { preparedName } from './prepared.ts';

/** The parameters of a statement. Each is encoded by the column that it is compared with or stored in. */
type Parameters = Readonly<Record<string, PgColumn>>;
/** A value for each parameter; null only if the column may be null. */
type Values<P extends Parameters> = { readonly [Name in keyof P]: GetColumnData<P[Name]> };
/** What represents each parameter in the builder. */
type Given<P extends Parameters> = { readonly [Name in keyof P]: SQL<GetColumnData<P[Name]>> };

/** Sends a compiled statement. Like every statement of drizzle's, it is sent once it is awaited. */
export type Compiled<On, P extends Parameters, Rows> = (on: On, values: Values<P>) => QueryPromise<Rows>;

/**
 * A `select` whose text is built once per process, when it is first sent (ADR 0175). `write` gets the parameters as
 * `given`; its result must depend on nothing else. Rows are decoded by the columns, as by drizzle.
 */
export function compiledRead<const P extends Parameters, Rows extends readonly object[]>(
  parameters: P,
  write: (given: Given<P>, builder: Pick<NodePgDatabase, 'select'>) => Preparable<Rows>,
): Compiled<Reader, P, Rows> {
  return compiled(parameters, (given) => write(given, BUILDER));
}

/** The same for a statement that writes and returns rows: in a transaction, or alone in `inOneStatement`. */
export function compiledWrite<const P extends Parameters, Rows extends readonly object[]>(
  parameters: P,
  write: (given: Given<P>, builder: Writer) => Preparable<Rows>,
): Compiled<Writer, P, Rows> {
  return compiled(parameters, (given) => write(given, BUILDER));
}

/**
 * The insert of one row, which returns the row. Its text depends on the columns that are given, so there is one for each
 * set of them.
 */
export function compiledInsert<T extends PgTable>(
  table: T,
): (on: Writer, row: T['$inferInsert']) => QueryPromise<T['$inferSelect'][]>;
export function compiledInsert(table: PgTable): (on: Writer, row: ValuesByName) => QueryPromise<readonly object[]> {
  const columns = Object.entries<PgColumn>(getTableColumns(table));
  const inserts = new Map<string, Compiled<Writer, Parameters, readonly object[]>>();
  return (on, row) => {
    const given = columns.filter(([name]) => row[name] !== undefined);
    const names = given.map(([name]) => name).join();
    let insert = inserts.get(names);
    if (insert === undefined) {
      insert = compiledWrite(Object.fromEntries(given), (values, builder) =>
        builder.insert(table).values(values).returning(),
      );
      inserts.set(names, insert);
    }
    return insert(on, row);
  };
}

function compiled<P extends Parameters, Rows extends readonly object[]>(
  parameters: P,
  write: (given: Given<P>) => Preparable<Rows>,
): Compiled<object, P, Rows> {
  let statement: CompiledStatement<Rows> | undefined;
  return (on, values) => {
    statement ??= new CompiledStatement(planOf(write(givenFor(parameters))));
    return new Ready(statement, clientOf(on), values);
  };
}

function givenFor<P extends Parameters>(parameters: P): Given<P>;
function givenFor(parameters: Parameters): Given<Parameters> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, column]) => [name, sql`${new Param(new Placeholder(name), column)}`]),
  );
}

type ValuesByName = Readonly<Record<string, unknown>>;

/** A statement with its values: everything but sent. */
class Ready<Rows> extends QueryPromise<Rows> {
  readonly #statement: CompiledStatement<Rows>;
  readonly #client: Client;
  readonly #values: ValuesByName;

  constructor(statement: CompiledStatement<Rows>, client: Client, values: ValuesByName) {
    super();
    this.#statement = statement;
    this.#client = client;
    this.#values = values;
  }

  override execute(): Promise<Rows> {
    return this.#statement.send(this.#client, this.#values);
  }
}

/** As drizzle's driver: columns decode moments and days from PostgreSQL's text. */
const TYPES = new pg.TypeOverrides();
for (const type of [pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.DATE]) TYPES.setTypeParser(type, (text) => text);

class CompiledStatement<Rows> {
  readonly #plan: Plan<Rows>;
  readonly #config: pg.QueryArrayConfig;

  constructor(plan: Plan<Rows>) {
    this.#plan = plan;
    this.#config = { text: plan.text, name: preparedName(plan.text), rowMode: 'array', types: TYPES };
  }

  async send(client: Client, given: ValuesByName): Promise<Rows> {
    const values = this.#plan.encode(given);
    try {
      const { rows } = await client.query<unknown[]>(this.#config, values);
      return this.#plan.decode(rows);
    } catch (error) {
      throw new DrizzleQueryError(this.#plan.text, values, Error.isError(error) ? error : undefined);
    }
  }
}
