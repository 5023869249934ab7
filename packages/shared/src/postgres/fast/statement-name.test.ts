import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../../../test/logged.ts';
import { statementName } from './statement-name.ts';

describe('the name of a prepared statement', () => {
  it('is the same in every process, in whatever order it comes to its statements (F6)', () => {
    const inAnother = linesOf(`
      import { statementName } from 'SRC/postgres/fast/statement-name.ts';
      for (const text of ['select 3', 'select $1', 'select 1']) console.log(JSON.stringify({ text, name: statementName(text) }));
    `);
    expect(inAnother).toHaveLength(3);
    for (const { text, name } of inAnother) expect(statementName(String(text))).toBe(name);
  });

  it('is another one for another text, and short enough for PostgreSQL (F6)', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => statementName(`select ${String(index)}`));
    expect(new Set(names).size).toBe(1_000);
    expect(names.every((name) => name.length < 56)).toBe(true);
  });
});
