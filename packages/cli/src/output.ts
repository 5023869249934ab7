import { isRecord } from '@pay/sdk/errors.ts';

/** Writes results: as JSON with `--json`, otherwise as lines for people. */
export type Output = {
  readonly isJson: boolean;
  /** Prints the result of a command in one of the two forms. */
  result(lines: string | readonly string[], json: unknown): void;
  /** Prints a progress message to stderr; silent with `--json`. */
  note(line: string): void;
  /** Prints what somebody has to act on to stderr, also with `--json`. */
  warn(line: string): void;
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
    warn(line) {
      console.error(line);
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

/** An amount in rubles as people write it: `10.5` of a JSON number as `10.50`. */
export function rubles(amount: string): string {
  const [whole = '', part = ''] = amount.split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
}

/** A payment with its amount as `rubles`. */
export const withRubles = <T extends { readonly amount: string }>(payment: T): T => ({
  ...payment,
  amount: rubles(payment.amount),
});

/** Columns of a table of records; `--json` has them all. */
const COLUMNS_MAX = 8;

/** An answer of an operator API or of the bank for people: its lists as tables, everything else as name-value lines. */
export function answerLines(answer: unknown): string[] {
  if (!isRecord(answer)) return [JSON.stringify(answer)];
  const { nextPageToken, ...members } = answer;
  const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.every(isRecord);
  const lists = Object.entries(members).filter((entry): entry is [string, unknown[]] => isList(entry[1]));
  const others = Object.entries(members).filter(([, value]) => !isList(value));
  return [
    ...facts(Object.fromEntries(others)),
    ...lists.flatMap(([name, items]) => (items.length === 0 ? [`no ${name}`] : tableOf(items.filter(isRecord)))),
    ...(typeof nextPageToken === 'string' ? [`more: --page-token ${nextPageToken}`] : []),
  ];
}

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value));

/** A table with a heading: the first members that are no lists and no records. */
function tableOf(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
  const columns = Object.keys(records[0] ?? {}).filter((name) => records.every((record) => isScalar(record[name])));
  const shown = columns.slice(0, COLUMNS_MAX);
  return table([shown, ...records.map((record) => shown.map((name) => cellOf(record[name])))]);
}
