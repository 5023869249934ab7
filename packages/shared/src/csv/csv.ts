import { once } from 'node:events';
import type { Response } from 'express';

/**
 * What spreadsheets treat as a formula at the start of a cell; a leading blank does not help. OWASP, "CSV Injection".
 */
const FORMULA = /^[\s]*[=+\-@|%]/u;
/** A negative amount evaluates to itself. */
const NEGATIVE_DECIMAL = /^-\d+\.\d+$/u;
const QUOTED = /["\n\r,;\t]/u;

/**
 * One cell. Text that a spreadsheet would evaluate is prefixed with an apostrophe, which makes it text: what a partner
 * or a bank wrote must not run on an employee's machine. A negative decimal such as `-10.50` stays a number.
 */
function cell(value: string | null): string {
  const text = value ?? '';
  const safe = FORMULA.test(text) && !NEGATIVE_DECIMAL.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of RFC 4180, its line break included. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/**
 * Responds with a file, page by page, as fast as it is read: a list of any length needs the memory of one page. An
 * error before the first page is an ordinary refusal; a later one aborts the download, so that half a file never looks
 * complete.
 */
export async function sendCsv(
  res: Response,
  fileName: string,
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly (string | null)[])[]>,
): Promise<void> {
  const begin = () => {
    res.status(200).set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    });
    res.write(csvLine(header));
  };
  let hasBegun = false;
  for await (const lines of pages) {
    if (!hasBegun) begin();
    hasBegun = true;
    const isTaken = res.write(lines.map(csvLine).join(''));
    // A slow reader sets the pace; one that disconnected ends it.
    if (!isTaken) await drainedOrClosed(res);
    if (res.closed) return;
  }
  if (!hasBegun) begin();
  res.end();
}

async function drainedOrClosed(res: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() => {
    // The losing listener would otherwise stay for the whole download.
    waiting.abort();
  });
}
