import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+7', "'+7"],
    ['-7', "'-7"],
    ['-10.50', '-10.50'],
    ['-10.50+1', "'-10.50+1"],
    ['-10.50 ', "'-10.50 "],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    [' =cmd|"/c calc"!A1', '"\' =cmd|""/c calc""!A1"'],
    ['12.345678', '12.345678'],
    ['2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['two\nlines', '"two\nlines"'],
    [null, ''],
  ])('writes %j as %j', (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`);
  });

  it('property: no cell begins with what a spreadsheet calculates', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cell = csvLine([text]).replace(/^"/, '');
        // Except a negative decimal.
        if (/^-\d+\.\d+\r\n$/.test(cell)) return;
        expect(cell).not.toMatch(/^\s*[=+\-@|%]/u);
      }),
    );
  });
});
