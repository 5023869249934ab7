import { Column, getTableName, is, Param, Placeholder, SQL, type DriverValueDecoder, type Query } from 'drizzle-orm';
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  PgSession,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';

/** A statement of drizzle's builder that returns rows. */
export type Preparable<Rows extends readonly object[]> = { prepare(name: string): { execute(): Promise<Rows> } };

/** All that is known about a statement before its values are. */
export type StatementCodec<Rows> = {
  readonly text: string;
  /** The parameters as they are sent, in their order. */
  encode(values: Readonly<Record<string, unknown>>): unknown[];
  /** Rows as pg returns them in array mode, with moments as text. */
  decode(rows: readonly (readonly unknown[])[]): Rows;
};

/** Builds the text of a statement, and collects the encoders and decoders of its columns. */
export function codecOf<Rows extends readonly object[]>(statement: Preparable<Rows>): StatementCodec<Rows>;
// What the builder says about its rows is not known at run time: this signature is where it is taken over.
export function codecOf(statement: Preparable<readonly object[]>): StatementCodec<readonly object[]> {
  const built = statement.prepare('');
  if (!(built instanceof BuiltStatement)) throw new TypeError('a statement is compiled by the builder it is given');
  const { query, fields } = built.parts();
  const encoders = query.params.map(encoderOf);
  const toRow = rowDecoder(fields);
  return {
    text: query.sql,
    encode: (values) => encoders.map((encode) => encode(values)),
    decode: (rows) => rows.map(toRow),
  };
}

/** drizzle's interface for drivers, taken up to the point where a statement would be sent. */
class BuiltStatement<T extends PreparedQueryConfig> extends PgPreparedQuery<T> {
  readonly #fields: SelectedFieldsOrdered | undefined;
  /** Set by drizzle for a `select`: whether each joined table has a row for certain. */
  declare readonly joinsNotNullableMap?: Readonly<Record<string, boolean>>;

  constructor(query: Query, fields: SelectedFieldsOrdered | undefined) {
    super(query, undefined, undefined);
    this.#fields = fields;
  }

  parts(): { readonly query: Query; readonly fields: SelectedFieldsOrdered } {
    if (this.#fields === undefined) throw new TypeError('a compiled statement returns rows');
    if (this.#fields.some((field) => this.#mayBeAbsent(field))) {
      throw new TypeError('a compiled statement has no object of an outer join');
    }
    return { query: this.query, fields: this.#fields };
  }

  /** Whether the field belongs to an object that drizzle would replace by null. */
  #mayBeAbsent({ path, field }: SelectedFieldsOrdered[number]): boolean {
    return path.length > 1 && is(field, Column) && this.joinsNotNullableMap?.[getTableName(field.table)] === false;
  }

  override execute(): Promise<never> {
    throw new TypeError('a statement is sent by the function that compiled it');
  }
}

class BuilderSession extends PgSession<NodePgQueryResultHKT> {
  override prepareQuery<T extends PreparedQueryConfig>(query: Query, fields: SelectedFieldsOrdered | undefined): PgPreparedQuery<T> {
    return new BuiltStatement<T>(query, fields);
  }

  override transaction(): Promise<never> {
    throw new TypeError('a builder has no connection');
  }
}

const dialect = new PgDialect();
/** drizzle without a connection: what it builds is compiled. */
export const BUILDER = new PgDatabase<NodePgQueryResultHKT>(dialect, new BuilderSession(dialect), undefined);

/** A raw statement, before its values are known. */
export type RawCodec = Pick<StatementCodec<unknown>, 'text' | 'encode'>;

/** Builds the text of a raw statement. */
export function rawCodecOf(statement: SQL): RawCodec {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const encoders = params.map(encoderOf);
  return { text, encode: (values) => encoders.map((encode) => encode(values)) };
}

type Encode = (values: Readonly<Record<string, unknown>>) => unknown;

/** As drizzle's `fillPlaceholders`, decided once. */
function encoderOf(param: unknown): Encode {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param)) return () => param;
  const { encoder, value: placeholder } = param;
  if (!is(placeholder, Placeholder)) throw new TypeError('a parameter of a compiled statement has a name');
  return (values) => {
    const value = values[placeholder.name];
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}

type Cell = { readonly at: number; readonly name: string; readonly decode: (value: unknown) => unknown };
type RowDecoder = (values: readonly unknown[]) => Record<string, unknown>;

/** As drizzle's own mapping of rows, decided once: a table in a selection becomes an object in the row. */
function rowDecoder(fields: SelectedFieldsOrdered): RowDecoder {
  const own: Cell[] = [];
  const nested = new Map<string, Cell[]>();
  for (const [at, { path, field }] of fields.entries()) {
    const [first = '', second] = path;
    const decode = decoderOf(field);
    if (second === undefined) own.push({ at, name: first, decode });
    else nested.set(first, [...(nested.get(first) ?? []), { at, name: second, decode }]);
  }
  const objects = [...nested].map(([name, cells]) => ({ name, fill: filler(cells) }));
  const fill = filler(own);
  return (values) => {
    const row = fill(values);
    for (const object of objects) row[object.name] = object.fill(values);
    return row;
  };
}

function filler(cells: readonly Cell[]): RowDecoder {
  return (values) => {
    const object: Record<string, unknown> = {};
    for (const { at, name, decode } of cells) {
      const value = values[at];
      object[name] = value === null ? null : decode(value);
    }
    return object;
  };
}

function decoderOf(field: SelectedFieldsOrdered[number]['field']): (value: unknown) => unknown {
  if (is(field, Column)) return (value) => field.mapFromDriverValue(value);
  const expression = is(field, SQL) ? field : is(field, SQL.Aliased) ? field.sql : undefined;
  // Not in drizzle's types: what `mapWith` has set.
  const decoder: unknown = expression === undefined ? undefined : Reflect.get(expression, 'decoder');
  if (!isDecoder(decoder)) throw new TypeError('a field of a compiled statement is a column or an expression');
  return (value) => decoder.mapFromDriverValue(value);
}

function isDecoder(value: unknown): value is DriverValueDecoder<unknown, unknown> {
  return typeof value === 'object' && value !== null && 'mapFromDriverValue' in value;
}
