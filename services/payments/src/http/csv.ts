/** What a spreadsheet would take for a formula, or for the start of one. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of CSV (RFC 4180), CRLF at its end. A text that a spreadsheet could run as a formula gets an apostrophe in
 * front, which spreadsheets show as plain text.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
