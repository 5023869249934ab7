import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isUtf8Of, mediaTypeOf } from './media-type.ts';

const isJson = (header: string | undefined) => isUtf8Of('application/json', header);

describe('a Content-Type of JSON', () => {
  it.each([
    'application/json',
    'application/json;',
    'application/json ; ;',
    'application/json;;charset=utf-8;',
    'APPLICATION/Json; CHARSET=UTF-8',
    'application/json\t;\tcharset="utf-8"',
    'application/json; charset="Utf\\-8"',
    'application/json; charset=utf8',
    'application/json; charset="UTF8"',
    'application/json; profile="a;charset=utf-16"',
    'application/json; profile=x; charset=utf-8',
  ])('is taken as %j (K7)', (header) => {
    expect([isJson(header), mediaTypeOf(header)]).toEqual([true, 'application/json']);
  });

  it.each([
    undefined,
    '',
    ';',
    'json',
    'application/',
    'application/ json',
    'application/jsonp',
    'application/json+x',
    'application/problem+json',
    'text/json',
    'application/json, application/json',
    'application/json; charset=utf-16',
    'application/json; charset="utf-16"',
    'application/json; charset=utf-16; charset=utf-8',
    'application/json; charset=latin1',
    'application/json; charset=us-ascii',
    'application/json; charset=""',
    'application/x-www-form-urlencoded',
  ])('is not taken as %j (K7)', (header) => {
    expect(isJson(header)).toBe(false);
  });

  it('however RFC 9110 lets it be written, it is the same (K7)', () => {
    const blanks = fc.constantFrom('', ' ', '\t', ' \t ');
    const cased = (text: string) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((ups) => [...text].map((char, at) => (ups[at] === true ? char.toUpperCase() : char)).join(''));
    const value = fc.constantFrom('utf-8', 'UTF-8', '"utf-8"', '"UTF\\-8"', 'utf8');
    const parameter = fc.oneof(
      fc.constant(''),
      fc.tuple(cased('charset'), value).map(([name, text]) => `${name}=${text}`),
      fc.constant('v=1'),
    );
    const header = fc
      .tuple(cased('application/json'), fc.array(fc.tuple(blanks, blanks, parameter), { maxLength: 4 }))
      .map(([type, others]) => type + others.map(([before, after, text]) => `${before};${after}${text}`).join(''));
    fc.assert(fc.property(header, (text) => isJson(text)));
  });
});
