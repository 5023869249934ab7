/** What spreadsheets take for a formula when a cell begins with it; a tab or a line break before it does not help. */
const FORMULA = /^[\s]*[=+\-@|%]/u;
const QUOTED = /["\n\r,;\t]/u;

/**
 * One cell. Text that a spreadsheet would calculate gets an apostrophe before it, which spreadsheets show as text: what a
 * partner or a bank wrote must not run on an employee's machine. Amounts and moments are of our own making and stay as
 * they are written.
 */
function cell(value: string | null): string {
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of RFC 4180, its line break included. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}
