type Row = Readonly<Record<string, unknown>>;

/** A table whose rows are compared between two databases. */
export type Compared = {
  readonly table: string;
  /** The order in which its rows were written, if there is a column for that. */
  readonly order?: string;
  /** Columns that no two runs have in common. */
  readonly without?: readonly string[];
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * The rows of `tables`, so that two databases with the same history give the same result: each id is replaced by the number
 * of its first appearance. Ids are numbered along the ordered tables, which therefore come first. Moments stay: stop the clock.
 */
export async function rowsAlike(
  query: (text: string) => Promise<readonly Row[]>,
  tables: readonly Compared[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const numbers = new Map<string, string>();
  const found: Record<string, readonly string[]> = {};
  for (const { table, order, without = [] } of tables) {
    const rows = await query(`select to_jsonb(t) as row from ${table} t${order === undefined ? '' : ` order by ${order}`}`);
    const texts = rows.map(({ row }) => JSON.stringify(row, (key, value: unknown) => (without.includes(key) ? undefined : value)));
    const numbered = texts.map((text) =>
      text.replace(UUID, (id) => {
        const known = numbers.get(id);
        if (known !== undefined || order === undefined) return known ?? 'an id';
        const number = `id ${String(numbers.size + 1)}`;
        numbers.set(id, number);
        return number;
      }),
    );
    found[table] = order === undefined ? numbered.toSorted() : numbered;
  }
  return found;
}
