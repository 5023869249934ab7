import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, lineForPeople } from './csv.ts';

describe('a line of CSV for programs', () => {
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
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\uff0b7', "'\uff0b7"],
    ['\uff0d7', "'\uff0d7"],
    ['\uff20SUM(A1)', "'\uff20SUM(A1)"],
    ['\ufe62\u200b7', "'\ufe62\u200b7"],
    ['\u200b=1', "'\u200b=1"],
    ['\u2060=1', "'\u2060=1"],
    ['\u180e=1', "'\u180e=1"],
    ['\u00ad \u202e=1', "'\u00ad \u202e=1"],
    ['\u3164=1', "'\u3164=1"],
    ['1=\uff1d', '1=\uff1d'],
  ])('writes %j as %j (N11, K8)', (text, written) => {
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

describe('a line of CSV for people', () => {
  const COLUMNS = [{ name: 'id' }, { name: 'amount', decimals: 2 }, { name: 'note' }];

  it('has the separators of the spreadsheets of its language (K8)', () => {
    const line = ['A-1', '-10.50', 'Чай, 2 шт; "чёрный"'];
    expect(lineForPeople(line, COLUMNS, 'en')).toBe('A-1,-10.50,"Чай, 2 шт; ""чёрный"""\r\n');
    expect(lineForPeople(line, COLUMNS, 'ru')).toBe('A-1;-10,50;"Чай, 2 шт; ""чёрный"""\r\n');
  });

  it.each(['-7', '-A1', '-order_7', '-2026-11-28:1.5'])('an id stays as it is: %s (K8)', (id) => {
    expect(lineForPeople([id], COLUMNS, 'ru')).toBe(`${id}\r\n`);
  });

  it.each(['-1+cmd|"/c calc"!A1', '-SUM(A1)', '=1', '+7', '@a', '|x', '%x', '\uff1d1', '\uff0d7', '\u200b=1', ' =1', '-10.50+1'])(
    'what a spreadsheet would evaluate is text: %j (K8, N11)',
    (text) => {
      expect(lineForPeople([text], COLUMNS, 'en').replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('a number column has numbers only where they are some, and text is defused there, too (K8)', () => {
    expect(lineForPeople([null, '=1', null], COLUMNS, 'ru')).toBe(";'=1;\r\n");
    expect(lineForPeople([null, '10', null], COLUMNS, 'ru')).toBe(';10;\r\n');
  });

  it('property: no cell begins with what calls something, whatever blanks or widths are before it (K8, N11)', () => {
    const start = fc.constantFrom(...Array.from('=+-@|%＝＋－＠｜％﹢﹣﹦﹫'));
    const blank = fc.array(fc.constantFrom(' ', '\t', '\u200b', '\u2060', '\u180e', '\ufeff', '\u00a0'), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(blank, start, fc.string({ unit: 'binary' }), (before, sign, rest) => {
        const text = `${before.join('')}${sign}${rest}`;
        const cell = lineForPeople([text], COLUMNS, 'en').replace(/^"/, '');
        expect(cell.startsWith("'") || /^-[A-Za-z0-9._:-]*\r\n$/.test(cell)).toBe(true);
      }),
    );
  });
});
