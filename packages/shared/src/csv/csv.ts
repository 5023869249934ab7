import { once } from 'node:events';
import type { Response } from 'express';

/**
 * What spreadsheets treat as a formula at the start of a cell, also full-width (NFKC); what is blank or invisible before it does
 * not help. OWASP, "CSV Injection".
 */
const FORMULA = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@|%]/u;
/** A negative amount evaluates to itself. */
const NEGATIVE_DECIMAL = /^-\d+\.\d+$/u;
/** An id that begins with a hyphen: without a bracket, a bar or an exclamation mark no formula calls anything. */
const HYPHENED_ID = /^-[A-Za-z0-9._:-]*$/u;
const QUOTED = /["\n\r,;\t]/u;

const isFormula = (text: string): boolean => FORMULA.test(text.normalize('NFKC'));

/**
 * One cell. Text that a spreadsheet would evaluate is prefixed with an apostrophe, which makes it text: what a partner
 * or a bank wrote must not run on an employee's machine. A negative decimal such as `-10.50` stays a number.
 */
function cell(value: string | null): string {
  const text = value ?? '';
  return quoted(isFormula(text) && !NEGATIVE_DECIMAL.test(text) ? `'${text}` : text);
}

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line of RFC 4180 for programs, its line break included: docs/partners/registers.md. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** A column of a file for people. */
export type Column = {
  readonly name: string;
  /** Of a number, the digits behind its point; undefined: text. */
  readonly decimals?: number | undefined;
};

/** Whose spreadsheet opens a file. */
export type FileLanguage = 'en' | 'ru';

/** The list separator and the decimal separator of that language's spreadsheets. */
const SEPARATORS = { en: [',', '.'], ru: [';', ','] } as const;

/** A spreadsheet on Windows takes a file without it for the code page of the system. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * One line of a file that people open in a spreadsheet of their language. In a Russian one a point would make a date of
 * 12.05. An id that begins with a hyphen stays as it is: with an apostrophe it would be found nowhere.
 */
export function lineForPeople(cells: readonly (string | null)[], columns: readonly Column[], language: FileLanguage): string {
  const [separator, point] = SEPARATORS[language];
  const written = cells.map((value, at) => {
    const text = value ?? '';
    if (columns[at]?.decimals !== undefined && /^-?\d+(?:\.\d+)?$/u.test(text)) return text.replace('.', point);
    return quoted(isFormula(text) && !HYPHENED_ID.test(text) ? `'${text}` : text);
  });
  return `${written.join(separator)}\r\n`;
}

/** The language whose spreadsheet a browser's reader is likely to have. */
export const fileLanguageOf = (accepted: string | false | undefined): FileLanguage => (accepted === 'ru' ? 'ru' : 'en');

/** Rows of a file, page by page. */
export type Pages = AsyncIterable<readonly (readonly (string | null)[])[]>;

/**
 * Responds with a CSV file for people, page by page, as fast as it is read: a list of any length needs the memory of one
 * page. An error before the first page is an ordinary refusal; a later one aborts the download, so that half a file never
 * looks complete.
 * @param file `name` without its ending
 */
export async function sendCsv(
  res: Response,
  { name, columns, language }: { readonly name: string; readonly columns: readonly Column[]; readonly language: FileLanguage },
  pages: Pages,
): Promise<void> {
  const names = columns.map((column) => column.name);
  const begin = () => {
    res.status(200).set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
    });
    res.write(`${BYTE_ORDER_MARK}${lineForPeople(names, columns, language)}`);
  };
  let hasBegun = false;
  for await (const lines of pages) {
    if (!hasBegun) begin();
    hasBegun = true;
    const isTaken = res.write(lines.map((line) => lineForPeople(line, columns, language)).join(''));
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
