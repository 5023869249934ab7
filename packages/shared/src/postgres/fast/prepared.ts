import type pg from 'pg';
import { statementName } from './statement-name.ts';

/**
 * How many statements a process prepares, which limits what PostgreSQL keeps per connection. Later ones are sent
 * unprepared.
 */
const PREPARED_MAX = 500;
const preparedNames = new Map<string, string>();

/**
 * Turns every statement with parameters into a prepared one: PostgreSQL parses and plans it once per connection, not
 * once per request. drizzle and pg prepare only statements that are named one by one; ADR 0010.
 */
export function prepareStatements(client: pg.PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new Error('a connection of pg has no query()');
  Reflect.set(client, 'query', (...given: readonly unknown[]): unknown => {
    const answer: unknown = Reflect.apply(query, client, withName(given));
    return answer;
  });
}

/** The arguments of pg's `query`, with a name added if there are parameters and no name yet. */
function withName(given: readonly unknown[]): readonly unknown[] {
  const [statement, values, ...rest] = given;
  const config = typeof statement === 'string' ? { text: statement } : statement;
  if (!Array.isArray(values) || values.length === 0 || !isUnnamed(config)) return given;
  const name = preparedName(config.text);
  return name === undefined ? given : [{ ...config, name }, values, ...rest];
}

function isUnnamed(config: unknown): config is { readonly text: string } {
  if (typeof config !== 'object' || config === null || ('name' in config && config.name !== undefined)) return false;
  return 'text' in config && typeof config.text === 'string';
}

/** The prepared statement's name for a text; undefined once the process has prepared as many as it may. */
export function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known !== undefined || preparedNames.size >= PREPARED_MAX) return known;
  const name = statementName(text);
  preparedNames.set(text, name);
  return name;
}
