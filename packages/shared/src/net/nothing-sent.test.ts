import { expect, it } from '@jest/globals';
import { isNothingSent } from './nothing-sent.ts';

const failed = (code: string) => Object.assign(new Error(code), { code });

it.each([
  ['a refused connection', failed('ECONNREFUSED'), true],
  ['a name that does not resolve', failed('ENOTFOUND'), true],
  ['a connection that took too long', failed('UND_ERR_CONNECT_TIMEOUT'), true],
  ['a connection that broke', failed('ECONNRESET'), false],
  ['an answer that took too long', failed('UND_ERR_HEADERS_TIMEOUT'), false],
  ['two addresses that refused', new AggregateError([failed('ECONNREFUSED'), failed('EHOSTUNREACH')]), true],
  ['two addresses, one of which may have been reached', new AggregateError([failed('ECONNREFUSED'), failed('EPIPE')]), false],
  ['something else', new Error('broken'), false],
  ['nothing', undefined, false],
])('of %s', (_name, error, expected) => {
  expect(isNothingSent(error)).toBe(expected);
});
