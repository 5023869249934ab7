import pg from 'pg';
import { demandCommitted, rollBack } from '../transaction.ts';
import { PREPARED_MAX } from './prepared.ts';
import { statementName } from './statement-name.ts';

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
  /** What was done: `COMMIT`, `INSERT 0 1`. */
  readonly command: string;
};

/** Makes a value of PostgreSQL's text. */
export type Parser = (text: string) => unknown;

/** pg's own parsers. */
const PARSERS: { getTypeParser(dataTypeID: number, format: 'text'): Parser } = pg.types;

export const parserOf = (dataTypeID: number): Parser => PARSERS.getTypeParser(dataTypeID, 'text');

/**
 * Runs statements as one transaction: committed together, or not at all. One write to the socket, one answer, `begin` and `commit`
 * included. (Each of pg's own queries ends with a Sync, after which PostgreSQL sends and this process reads.) Returns the rows of each
 * statement; rejects with the error of the first that failed, once that was rolled back. decisions/round-trips;
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

/** Adds to an error which statement it belongs to. */
type Failed = (error: Error, statement: Statement | undefined) => Error;

/**
 * As `sendWhole`; rows as they came. A statement by itself is a transaction anyway. What is sent behind several before they are
 * answered fails with them: only one statement may go ahead of others in a write.
 */
export async function sendAnswered(client: pg.ClientBase, statements: readonly Statement[], failed?: Failed): Promise<readonly Answer[]> {
  if (statements.length === 1) return sendTogether(client, statements, failed);
  const sent = sendTogether(client, [BEGIN, ...statements, COMMIT], failed);
  const answers = await sent.catch((error: unknown) => rollBack(client, error));
  demandCommitted(answers.at(-1)?.command);
  return answers.slice(1, -1);
}

const named = (text: string): Statement => ({ text, values: [], name: statementName(text) });
/**
 * That everything before one Sync is one transaction is PostgreSQL's promise, which what stands between may not keep. In front and
 * at the end of the same write these two cost no round trip.
 */
const [BEGIN, COMMIT] = [named('begin'), named('commit')];

/**
 * Sends statements in one write, with one answer, in whichever transaction the connection is in. Without one they may be committed one
 * by one: for reads, and a single statement. After one that fails the rest is passed over.
 */
export async function sendTogether(
  client: pg.ClientBase,
  statements: readonly Statement[],
  failed: Failed = (error) => error,
): Promise<readonly Answer[]> {
  const onTheWire = statements.map(onWire);
  return new Promise((resolve, reject) => {
    const answers: Answer[] = [];
    client.query(
      new Together(onTheWire, answers, (error) => {
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
class Together extends pg.Query {
  readonly #statements: readonly StatementOnWire[];
  /** What each is prepared under on the connection; empty: it is not. */
  readonly #names: string[] = [];
  readonly #answers: Answer[];
  #prepared: Map<string, Answer['columns']> | undefined;
  #columns: Answer['columns'] = [];
  #rows: (readonly (string | null)[])[] = [];

  constructor(statements: readonly StatementOnWire[], answers: Answer[], callback: (error: Error | null | undefined) => void) {
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
  handleCommandComplete({ text: command }: { readonly text: string }): void {
    const name = this.#names[this.#answers.length] ?? '';
    const columns = this.#prepared?.get(name) ?? this.#columns;
    if (name !== '') this.#prepared?.set(name, columns);
    this.#answers.push({ columns, rows: this.#rows, command });
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
