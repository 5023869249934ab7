/** Writes a result: the JSON with `--json`, else lines for people. */
export type Output = {
  readonly isJson: boolean;
  /** The result of a command: one of both forms. */
  result(lines: string | readonly string[], json: unknown): void;
  /** A remark on the way, on stderr; silent with `--json`. */
  note(line: string): void;
};

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    result(lines, json) {
      if (isJson) console.log(JSON.stringify(json, null, 2));
      else console.log(typeof lines === 'string' ? lines : lines.join('\n'));
    },
    note(line) {
      if (!isJson) console.error(line);
    },
  };
}

/** Columns, padded, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A record as lines of name and value. */
export function facts(record: Readonly<Record<string, unknown>>): string[] {
  const rows = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return table(rows);
}
