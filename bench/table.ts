import { cpus } from 'node:os';
import type { LoadResult } from './load.ts';

/** Describes the machine that the figures were measured on. */
export function machine(): string {
  const [cpu] = cpus();
  return `${String(cpus().length)} cores, ${cpu?.model ?? 'unknown'}, Node ${process.version}; load generator, services and databases share them.`;
}

/** A text table; every column but the first contains numbers. */
export function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(String).join(' | ')} |`;
  return [line(header), line(header.map((_cell, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** One line per load run. */
export function resultTable(rows: readonly (readonly [what: string, result: LoadResult])[]): string {
  return table(
    ['what', 'per second', 'p50 ms', 'p99 ms', 'failed'],
    rows.map(([what, { perSecond, p50Ms, p99Ms, failed }]) => [what, perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), failed]),
  );
}
