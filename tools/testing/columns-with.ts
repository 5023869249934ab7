/** A query function of a database. */
type Query = (text: string, values: unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * Finds the columns, in any schema, in which one of the texts occurs in any row: `schema.table.column` by text, sorted;
 * partitions count under their parent table, and a text that occurs nowhere has no columns. Reads arrays, JSON and
 * bytes (as UTF-8), but not encrypted data. Texts are ASCII without quotes and backslashes.
 */
export async function columnsWith(query: Query, texts: readonly string[]): Promise<Record<string, string[]>> {
  const tables = await query(
    `select table_schema as schema, table_name as name, format('%I.%I', table_schema, table_name) as path
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
       and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)`,
    [],
  );
  const found = new Map<string, Set<string>>(texts.map((text) => [text, new Set()]));
  for (const { schema, name, path } of tables) {
    // Bytes are rendered in hexadecimal.
    const rows = await query(
      `select distinct wanted, field.key
       from ${String(path)} as t, jsonb_each_text(to_jsonb(t)) as field, unnest($1::text[]) as wanted
       where position(wanted in field.value) > 0 or position(encode(convert_to(wanted, 'UTF8'), 'hex') in field.value) > 0`,
      [texts],
    );
    for (const { wanted, key } of rows) found.get(String(wanted))?.add(`${String(schema)}.${String(name)}.${String(key)}`);
  }
  return Object.fromEntries([...found].map(([text, columns]) => [text, [...columns].sort()]));
}
