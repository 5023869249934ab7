import { DrizzleQueryError, getTableColumns, Param, Placeholder, QueryPromise, sql, type GetColumnData, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgTable, SelectedFieldsFlat } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { inCallSpan } from '../../telemetry/tracing.ts';
import { clientOf, type Client } from '../client-of.ts';
import type { Reader } from '../db.ts';
import { lendConnection } from '../transaction.ts';
import { BUILDER, codecOf, rawCodecOf, type StatementCodec, type Preparable, type RawCodec } from './compile.ts';
import type { Writer } from './one-statement.ts';
import { preparedName } from './prepared.ts';
import { parserOf, sendTogether, type Answer, type Parser, type Statement } from './send-whole.ts';

/** The parameters of a statement. Each is encoded by the column that it is compared with or stored in. */
type Parameters = Readonly<Record<string, PgColumn>>;
/** A value for each parameter; null only if the column may be null. */
type Values<P extends Parameters> = { readonly [Name in keyof P]: GetColumnData<P[Name]> };
/** What represents each parameter in the builder. */
type Given<P extends Parameters> = { readonly [Name in keyof P]: SQL<GetColumnData<P[Name]>> };

/** What a statement that writes is built with: it may contain selects. */
type WriterAndReader = Writer & Pick<NodePgDatabase, 'select'>;

/** Sends a compiled statement. Like every statement of drizzle's, it is sent once it is awaited. */
export type Compiled<On, P extends Parameters, Rows> = (on: On, values: Values<P>) => ReadyStatement<Rows>;

/**
 * A `select` whose text is built once per process, when it is first sent (decisions/sql-statements). `write` gets the
 * parameters as `given`; its result must depend on nothing else. Rows are decoded by the columns, as by drizzle.
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
  write: (given: Given<P>, builder: WriterAndReader) => Preparable<Rows>,
): Compiled<Writer, P, Rows> {
  return compiled(parameters, (given) => write(given, BUILDER));
}

type Columns<T extends PgTable> = T['_']['columns'];
/** Values for some columns. */
type SomeColumns<T extends PgTable> = {
  readonly [Name in keyof Columns<T>]?: GetColumnData<Columns<T>[Name]>;
};
/** What represents the columns that are given, in the builder. */
type GivenColumns<T extends PgTable> = Readonly<Partial<Record<keyof T['$inferInsert'], SQL>>>;

/**
 * A `compiledWrite` that also stores the columns of `row`: its text depends on which columns are given, so there is one
 * for each set of them. No parameter may have the name of a column.
 */
export function compiledByColumns<T extends PgTable, const P extends Parameters, Rows extends readonly object[]>(
  table: T,
  parameters: P,
  write: (columns: GivenColumns<T>, given: Given<P>, builder: WriterAndReader) => Preparable<Rows>,
): (on: Writer, row: SomeColumns<T>, values: Values<P>) => ReadyStatement<Rows>;
export function compiledByColumns<Rows extends readonly object[]>(
  table: PgTable,
  parameters: Parameters,
  write: (columns: Given<Parameters>, given: Given<Parameters>, builder: WriterAndReader) => Preparable<Rows>,
): (on: Writer, row: ValuesByName, values: ValuesByName) => ReadyStatement<Rows> {
  const all = getTableColumns(table);
  const statements = new Map<string, Compiled<Writer, Parameters, Rows>>();
  return (on, row, values) => {
    const names = Object.keys(row).filter((name) => row[name] !== undefined);
    const key = names.join();
    let statement = statements.get(key);
    if (statement === undefined) {
      const columns = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
      if (Object.keys(parameters).some((name) => name in all)) throw new TypeError('a parameter is named as a column');
      statement = compiledWrite(parameters, (given, builder) => write(givenFor(columns), given, builder));
      statements.set(key, statement);
    }
    return statement(on, { ...row, ...values });
  };
}

/** What a row of these fields contains. */
type RowOf<F> = {
  [Name in keyof F]: F[Name] extends SQL<infer Value> ? Value : F[Name] extends PgColumn ? GetColumnData<F[Name]> : never;
};

/** The insert of one row. Returns the row, or what `returning` makes of its columns. */
export function compiledInsert<T extends PgTable>(table: T): (on: Writer, row: T['$inferInsert']) => ReadyStatement<T['$inferSelect'][]>;
export function compiledInsert<T extends PgTable, F extends SelectedFieldsFlat>(
  table: T,
  returning: (columns: GivenColumns<T>) => F,
): (on: Writer, row: T['$inferInsert']) => ReadyStatement<RowOf<F>[]>;
export function compiledInsert(
  table: PgTable,
  returning: (columns: Given<Parameters>) => SelectedFieldsFlat = () => getTableColumns(table),
): (on: Writer, row: ValuesByName) => ReadyStatement<readonly object[]> {
  const insert = compiledByColumns<PgTable, Parameters, object[]>(table, {}, (columns, _given, builder) =>
    builder.insert(table).values(columns).returning(returning(columns)),
  );
  return (on, row) => insert(on, row, {});
}

/**
 * The insert of some rows that all have the same columns, which returns `returned` of each. There is one text for each
 * number of rows: for a handful of them.
 */
export function compiledInsertAll<T extends PgTable, C extends PgColumn>(
  table: T,
  returned: C,
): (on: Writer, rows: readonly T['$inferInsert'][]) => ReadyStatement<{ returned: GetColumnData<C> }[]>;
export function compiledInsertAll(
  table: PgTable,
  returned: PgColumn,
): (on: Writer, rows: readonly ValuesByName[]) => ReadyStatement<readonly object[]> {
  const all = Object.entries<PgColumn>(getTableColumns(table));
  const inserts = new Map<string, Compiled<Writer, Parameters, readonly object[]>>();
  return (on, rows) => {
    const columns = all.filter(([name]) => rows[0]?.[name] !== undefined);
    if (!rows.every((row) => all.every(([name]) => (row[name] === undefined) === (rows[0]?.[name] === undefined)))) {
      throw new TypeError('rows that are inserted together have the same columns');
    }
    const key = [rows.length, ...columns.map(([name]) => name)].join();
    let insert = inserts.get(key);
    if (insert === undefined) {
      const parameters = rows.flatMap((_row, at) => columns.map(([name, column]) => [`${name} ${String(at)}`, column] as const));
      insert = compiledWrite(Object.fromEntries(parameters), (given, builder) =>
        builder
          .insert(table)
          .values(rows.map((_row, at) => Object.fromEntries(columns.map(([name]) => [name, given[`${name} ${String(at)}`]]))))
          .returning({ returned }),
      );
      inserts.set(key, insert);
    }
    return insert(on, Object.fromEntries(rows.flatMap((row, at) => columns.map(([name]) => [`${name} ${String(at)}`, row[name]]))));
  };
}

/** A value of a raw statement: a text, a number or null. */
type RawValue = string | number | null;

/**
 * A raw statement for a transaction that is sent whole (`inOneRoundTrip`), whose text is built once per process. `write`
 * gets the values by name; each is sent as it is.
 */
export function compiledRaw<const Name extends string>(
  names: readonly Name[],
  write: (given: Readonly<Record<Name, SQL>>) => SQL,
): (values: Readonly<Record<Name, RawValue>>) => Statement;
export function compiledRaw(
  names: readonly string[],
  write: (given: Readonly<Record<string, SQL>>) => SQL,
): (values: Readonly<Record<string, RawValue>>) => Statement {
  let codec: RawCodec | undefined;
  return (values) => {
    codec ??= rawCodecOf(write(Object.fromEntries(names.map((name) => [name, sql`${new Placeholder(name)}`]))));
    const { text, encode } = codec;
    return { text, values: encode(values), name: preparedName(text) };
  };
}

function compiled<P extends Parameters, Rows extends readonly object[]>(
  parameters: P,
  write: (given: Given<P>) => Preparable<Rows>,
): Compiled<object, P, Rows> {
  let statement: CompiledStatement<Rows> | undefined;
  return (on, values) => {
    statement ??= new CompiledStatement(codecOf(write(givenFor(parameters))));
    return new ReadyStatement(statement, clientOf(on), values);
  };
}

function givenFor<P extends Parameters>(parameters: P): Given<P>;
function givenFor(parameters: Parameters): Given<Parameters> {
  return Object.fromEntries(Object.entries(parameters).map(([name, column]) => [name, sql`${new Param(new Placeholder(name), column)}`]));
}

type ValuesByName = Readonly<Record<string, unknown>>;

/** A statement with its values: everything but sent. It is sent when it is awaited, or with others by `inPipeline`. */
export class ReadyStatement<Rows> extends QueryPromise<Rows> {
  readonly #compiled: CompiledStatement<Rows>;
  readonly #client: Client;
  readonly #given: ValuesByName;

  constructor(compiled: CompiledStatement<Rows>, client: Client, given: ValuesByName) {
    super();
    this.#compiled = compiled;
    this.#client = client;
    this.#given = given;
  }

  override execute(): Promise<Rows> {
    return inCallSpan(this.#compiled.span, () =>
      this.#client instanceof pg.Pool ? lendConnection(this.#client, (client) => this.#sendOn(client)) : this.#sendOn(this.#client),
    );
  }

  async #sendOn(client: pg.ClientBase): Promise<Rows> {
    const [answer] = await sendTogether(client, [this.encode()], nameStatement);
    if (answer === undefined) throw new TypeError('a statement that succeeded has an answer');
    return this.#compiled.decode(answer);
  }

  /** What is sent. */
  encode(): Statement {
    return this.#compiled.encode(this.#given);
  }

  /** Decodes what is answered once it has come. */
  decode(answer: Promise<Answer>): Promise<Rows> {
    return inCallSpan(this.#compiled.span, async () => this.#compiled.decode(await answer));
  }
}

/** Says which statement failed, as drizzle does. */
export const nameStatement = (error: Error, statement: Statement | undefined): Error =>
  statement === undefined ? error : new DrizzleQueryError(statement.text, [...statement.values], error);

/** As drizzle's driver: columns decode moments and days from PostgreSQL's text. */
const LEFT_AS_TEXT: ReadonlySet<number> = new Set([pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.DATE]);

const columnParser = (dataTypeID: number): Parser => (LEFT_AS_TEXT.has(dataTypeID) ? (text) => text : parserOf(dataTypeID));

class CompiledStatement<Rows> {
  readonly span: ReturnType<typeof spanOf>;
  readonly #codec: StatementCodec<Rows>;
  readonly #name: string;
  readonly #parsers = new WeakMap<Answer['columns'], readonly Parser[]>();

  constructor(codec: StatementCodec<Rows>) {
    this.#codec = codec;
    this.#name = preparedName(codec.text);
    this.span = spanOf(codec.text);
  }

  encode(given: ValuesByName): Statement {
    return { text: this.#codec.text, values: this.#codec.encode(given), name: this.#name };
  }

  decode({ columns, rows }: Answer): Rows {
    const parsers = this.#parsersOf(columns);
    return this.#codec.decode(rows.map((row) => row.map((text, at) => (text === null ? null : parsers[at]?.(text)))));
  }

  /** One list for each connection. */
  #parsersOf(columns: Answer['columns']): readonly Parser[] {
    const known = this.#parsers.get(columns);
    if (known !== undefined) return known;
    const parsers = columns.map(({ dataTypeID }) => columnParser(dataTypeID));
    this.#parsers.set(columns, parsers);
    return parsers;
  }
}

/** Named by what it does first and to which table: `insert payments`. Never by its values. */
function spanOf(text: string) {
  const [, operation = 'statement'] = /(select|insert|update|delete)/i.exec(text) ?? [];
  const [, table = ''] = /(?:from|into|update) "?(\w+)/i.exec(text) ?? [];
  return { name: `${operation} ${table}`, kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;
}
