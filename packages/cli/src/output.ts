/** Writes results: as JSON with `--json`, otherwise as lines for people. */
export type Output = {
  readonly isJson: boolean;
  /** Prints the result of a command in one of the two forms. */
  result(lines: string | readonly string[], json: unknown): void;
  /** Prints a progress message to stderr; silent with `--json`. */
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

/** Padded columns, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A record as name-value lines. */
export function facts(record: Readonly<Record<string, unknown>>): string[] {
  const rows = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return table(rows);
}
