import pg from 'pg';
import { PREPARED_MAX } from './prepared.ts';

/** One statement of a transaction that is sent in one write. */
export type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Prepared under this name, once per connection, if that has room (`PREPARED_MAX`); parsed each time if absent. */
  readonly name?: string | undefined;
};

/** A column of an answer. */
export type AnsweredColumn = { readonly name: string; readonly dataTypeID: number };
/** What PostgreSQL answered to one statement: its rows, in PostgreSQL's text format. */
export type Answer = {
  /** The same list as long as the statement is prepared on this connection. */
  readonly columns: readonly AnsweredColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
};

/** Makes a value of PostgreSQL's text. */
export type Parser = (text: string) => unknown;

/** pg's own parsers. */
const PARSERS: { getTypeParser(dataTypeID: number, format: 'text'): Parser } = pg.types;

export const parserOf = (dataTypeID: number): Parser => PARSERS.getTypeParser(dataTypeID, 'text');

/**
 * Runs statements as one transaction: everything before one Sync of PostgreSQL's protocol is committed together, or not
 * at all. One write to the socket, one answer; `begin` and `commit` are not needed. (Each of pg's own queries ends with
 * a Sync, after which PostgreSQL sends and this process reads.) Returns the rows of each statement; rejects with the
 * error of the first that failed. ADR 0011;
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export async function sendWhole<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<readonly (readonly T[])[]>;
// The columns of a raw statement are not known at run time: this signature is where they are taken over.
export async function sendWhole(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<readonly (readonly pg.QueryResultRow[])[]> {
  const answers = await sendAnswered(client, statements);
  return answers.map(({ columns, rows }) => {
    const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID));
    return rows.map((row) =>
      Object.fromEntries(
        columns.map(({ name }, at) => {
          const value = row[at] ?? null;
          return [name, value === null ? null : parsers[at]?.(value)];
        }),
      ),
    );
  });
}

/** As `sendWhole`; rows as they came. `failed` is told which statement an error belongs to. */
export function sendAnswered(
  client: pg.ClientBase,
  statements: readonly Statement[],
  failed: (error: Error, statement: Statement | undefined) => Error = (error) => error,
): Promise<readonly Answer[]> {
  const onTheWire = statements.map(onWire);
  return new Promise((resolve, reject) => {
    const answers: Answer[] = [];
    client.query(
      new Whole(onTheWire, answers, (error) => {
        if (error === undefined || error === null) resolve(answers);
        else reject(failed(error, statements[answers.length]));
      }),
    );
  });
}

/** What a connection has prepared: the columns that each statement returns, by its name. */
const preparedOn = new WeakMap<pg.Connection, Map<string, Answer['columns']>>();

/**
 * On a connection with pipelining pg accepts only its own class. A statement says once per connection what it returns: its name
 * stands for its text, and PostgreSQL refuses a prepared statement whose columns have changed.
 */
class Whole extends pg.Query {
  readonly #statements: readonly StatementOnWire[];
  /** What each is prepared under on the connection; empty: it is not. */
  readonly #names: string[] = [];
  readonly #answers: Answer[];
  #prepared: Map<string, Answer['columns']> | undefined;
  #columns: Answer['columns'] = [];
  #rows: (readonly (string | null)[])[] = [];

  constructor(
    statements: readonly StatementOnWire[],
    answers: Answer[],
    callback: (error: Error | null | undefined) => void,
  ) {
    super('', callback);
    this.#statements = statements;
    this.#answers = answers;
  }

  override readonly submit = (connection: pg.Connection): void => {
    const prepared = preparedOn.get(connection) ?? new Map<string, Answer['columns']>();
    if (prepared.size === 0) preparedOn.set(connection, prepared);
    this.#prepared = prepared;
    connection.stream.cork();
    for (const { text, values, name: wanted } of this.#statements) {
      const isPrepared = prepared.has(wanted);
      const name = isPrepared || prepared.size < PREPARED_MAX ? wanted : '';
      this.#names.push(name);
      if (!isPrepared) {
        // After a failure nobody knows whether it was prepared.
        if (name !== '') connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values }, true);
      if (!isPrepared) connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  };

  handleRowDescription({ fields }: { readonly fields: Answer['columns'] }): void {
    this.#columns = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rows.push(fields);
  }

  /** The end of one statement. */
  handleCommandComplete(): void {
    const name = this.#names[this.#answers.length] ?? '';
    const columns = this.#prepared?.get(name) ?? this.#columns;
    if (name !== '') this.#prepared?.set(name, columns);
    this.#answers.push({ columns, rows: this.#rows });
    this.#columns = [];
    this.#rows = [];
  }
}

type StatementOnWire = { readonly text: string; readonly values: (string | Buffer | null)[]; readonly name: string };

/** Names differ from pg's: it does not know what was prepared here, and would prepare it a second time. */
const onWire = ({ text, values, name }: Statement): StatementOnWire => ({
  text,
  values: values.map(toWire),
  name: name === undefined ? '' : `whole.${name}`,
});

/** A value in PostgreSQL's text format. */
function toWire(value: unknown): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new TypeError('a statement that is sent whole takes texts, numbers, truth values and bytes');
}
