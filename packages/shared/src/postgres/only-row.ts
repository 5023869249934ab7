/** The first row of a result that always has one, such as `insert … returning`. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected exactly one row, got ${String(rows.length)}`);
  return row;
}
