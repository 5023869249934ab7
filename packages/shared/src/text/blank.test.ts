import { expect, it } from '@jest/globals';
import { isBlank } from './blank.ts';

it.each([
  ['nothing', ''],
  ['blanks', ' \t\u00a0\u3000\u2003'],
  ['a line break', '\n\u2028\u2029\u0085'],
  ['zero width', '\u200b\u200c\u200d\u2060\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a Mongolian vowel separator', '\u180e'],
  ['directions', '\u200e\u202e\u2066\u2069'],
  ['variation selectors', '\ufe0f\u{e0100}'],
  ['tags', '\u{e0041}\u{e007f}'],
  ['Hangul fillers', '\u115f\u1160\u3164\uffa0'],
  ['Khmer vowels that are not written', '\u17b4\u17b5'],
  ['the blank of Braille', '\u2800'],
  ['a combining grapheme joiner', '\u034f'],
])('nobody sees %s', (_what, text) => {
  expect(isBlank(text)).toBe(true);
});

it.each(['a', ' a ', '\u200ba', '0', '-', '\u202eevil', '👩\u200d👦', '\u0301', '表', '\ufffd', '.'])('somebody sees %j', (text) => {
  expect(isBlank(text)).toBe(false);
});
