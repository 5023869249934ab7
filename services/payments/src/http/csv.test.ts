import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it.each([
    [['a', '10.50', ''], 'a,10.50,\r\n'],
    [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
    [['=1+1', '+7', '-1', '@x', '\tx', '\rx'], `'=1+1,'+7,'-1,'@x,'\tx,"'\rx"\r\n`],
  ])('%j', (cells, expected) => {
    expect(csvLine(cells)).toBe(expected);
  });

  it('no cell of any text begins like a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(csvLine([text])).not.toMatch(/^"?[=+\-@\t]/);
      }),
    );
  });
});
