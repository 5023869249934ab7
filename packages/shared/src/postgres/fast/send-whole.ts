import pg from 'pg';

/** One statement of a transaction that is sent in one write. */
export type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Prepared under this name, once per connection; parsed each time if absent. */
  readonly name?: string | undefined;
};

/**
 * Runs statements as one transaction: everything before one Sync of PostgreSQL's protocol is committed together, or not
 * at all. One write to the socket, one answer; `begin` and `commit` are not needed. (Each of pg's own queries ends with
 * a Sync, after which PostgreSQL sends and this process reads.) Returns the rows of each statement; rejects with the
 * error of the first that failed. ADR 0011;
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export async function sendWhole<T extends pg.QueryResultRow>(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<readonly (readonly T[])[]> {
  const known = preparedOn.get(client) ?? new Set<string>();
  preparedOn.set(client, known);
  const onTheWire = statements.map(onWire);
  const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly T[])[]>();
  client.query(
    new Whole<T>(onTheWire, known, (error, results) => {
      if (error !== undefined && error !== null) reject(error);
      else resolve(results.map(({ rows }) => rows));
    }),
  );
  const answer = await promise;
  // After a failure nobody knows which of them were prepared, so they are prepared again.
  for (const { name } of onTheWire) if (name !== '') known.add(name);
  return answer;
}

const preparedOn = new WeakMap<pg.Client, Set<string>>();

/** On a connection with pipelining pg accepts only its own class; results are collected as for a query with several. */
class Whole<T extends pg.QueryResultRow> extends pg.Query<T> {
  readonly #statements: readonly StatementOnWire[];
  readonly #known: ReadonlySet<string>;

  constructor(
    statements: readonly StatementOnWire[],
    known: ReadonlySet<string>,
    callback: (error: Error | null | undefined, results: readonly pg.QueryResult<T>[]) => void,
  ) {
    // A single result is not wrapped in a list.
    super({ text: '' }, (error, results) => {
      callback(error, [results].flat());
    });
    this.#statements = statements;
    this.#known = known;
  }

  override readonly submit = (connection: pg.Connection): void => {
    connection.stream.cork();
    for (const { text, values, name } of this.#statements) {
      if (!this.#known.has(name)) {
        if (name !== '') connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values }, true);
      connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  };
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
