import { ERRORS } from './catalogue.ts';

const [BEGIN, END] = ['<!-- The table: node packages/shared/src/errors/write-errors-page.ts -->', '<!-- End of the table -->'];
const HEADINGS = ['code', 'status', 'sentence', 'what to do'];

/** docs/partners/errors.md with its table generated from the catalogue: every code in order of precedence. */
export function errorsPage(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`;
}

function table(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, text, advice }]) => [`\`${code}\``, String(status), text, advice]);
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
