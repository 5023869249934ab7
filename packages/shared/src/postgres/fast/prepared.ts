import type pg from 'pg';
import { statementName } from './statement-name.ts';

/**
 * How many statements a connection prepares in each of two ways, by themselves and sent whole, which limits what PostgreSQL keeps
 * for it. Later ones are sent unprepared.
 */
export const PREPARED_MAX = 500;

/**
 * Turns every statement with parameters into a prepared one: PostgreSQL parses and plans it once per connection, not
 * once per request. drizzle and pg prepare only statements that are named one by one; decisions/sql-statements.
 */
export function prepareStatements(client: pg.PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new Error('a connection of pg has no query()');
  const prepared = new Set<string>();
  Reflect.set(client, 'query', (...given: readonly unknown[]): unknown => {
    const answer: unknown = Reflect.apply(query, client, withName(given, prepared));
    return answer;
  });
}

/** The arguments of pg's `query`, with a name added if there are parameters and no name yet. */
function withName(given: readonly unknown[], prepared: Set<string>): readonly unknown[] {
  const [statement, values, ...rest] = given;
  const config = typeof statement === 'string' ? { text: statement } : statement;
  if (!Array.isArray(values) || values.length === 0 || !isUnnamed(config)) return given;
  const name = preparedName(config.text);
  if (!prepared.has(name) && prepared.size >= PREPARED_MAX) return given;
  prepared.add(name);
  return [{ ...config, name }, values, ...rest];
}

function isUnnamed(config: unknown): config is { readonly text: string } {
  if (typeof config !== 'object' || config === null || ('name' in config && config.name !== undefined)) return false;
  return 'text' in config && typeof config.text === 'string';
}

/** Names that were made already, as many as a connection prepares: each is a hash. */
const names = new Map<string, string>();

/** The name that a text is prepared under. */
export function preparedName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = statementName(text);
  if (names.size < PREPARED_MAX) names.set(text, name);
  return name;
}
