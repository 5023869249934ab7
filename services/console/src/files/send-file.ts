import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { writeXlsxStream } from 'hucre/xlsx';
import { sendCsv, type Column, type Pages } from '@pay/shared/csv/csv.ts';
import { languageOf } from '../language.ts';

/** What people download. Excel's own format keeps ids and amounts as they are; a CSV is guessed at when it is opened. */
export const FILE_FORMATS = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/**
 * Responds with a list as a file, page by page, as fast as it is read. An error before the first page is an ordinary refusal; a
 * later one aborts the download, so that half a file never looks complete.
 * @param name without its ending
 */
export async function sendFile(
  req: Request,
  res: Response,
  { format, name, columns }: { readonly format: FileFormat; readonly name: string; readonly columns: readonly Column[] },
  pages: Pages,
): Promise<void> {
  if (format === 'csv') await sendCsv(res, { name, columns, language: languageOf(req) }, pages);
  else await sendXlsx(res, `${name}.xlsx`, columns, pages);
}

async function sendXlsx(res: Response, fileName: string, columns: readonly Column[], pages: Pages): Promise<void> {
  const read = pages[Symbol.asyncIterator]();
  const first = await read.next();
  res.status(200).set({
    'Content-Type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
  });
  const rows = async function* () {
    for (let page = first; page.done !== true; page = await read.next())
      for (const line of page.value) yield line.map((cell, at) => cellOf(cell, columns[at]));
  };
  const workbook = writeXlsxStream(rows(), {
    name: 'List',
    columns: columns.map(({ name, decimals }) => ({ header: name, width: 24, numFmt: numberFormat(decimals) })),
    freezePane: { rows: 1 },
  });
  try {
    await pipeline(Readable.from(workbook), res);
  } catch (error) {
    // The reader left: there is nobody to tell.
    if (!isPrematureClose(error)) throw error;
  } finally {
    await read.return?.();
  }
}

const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** `@`: what looks like a number, a date or a formula stays the text that it is. */
const numberFormat = (decimals: number | undefined): string =>
  decimals === undefined ? '@' : decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`;

/** As many as a double keeps, and Excel shows. */
const DIGITS_MAX = 15;
/** Excel takes no longer cell. */
const CHARACTERS_MAX = 32_767;

function cellOf(value: string | null, column: Column | undefined): string | number | null {
  if (value === null || value === '') return null;
  const isNumber = column?.decimals !== undefined && /^-?\d+(?:\.\d+)?$/.test(value);
  if (isNumber && value.replaceAll(/\D/g, '').length <= DIGITS_MAX) return Number(value);
  // Excel reads _x0041_ as A: its underscore is written as such a code itself.
  return value
    .slice(0, CHARACTERS_MAX)
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}
