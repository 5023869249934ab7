import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { OPERATIONS } from '../../../../packages/contract/src/api/operations.ts';
import { ROUTES } from './routes.ts';

describe('the routes of the public API', () => {
  it('19.9: are the operations of the document, with the same names in their queries', () => {
    const routes = ROUTES.map(([method, path, , , names]) => [`${method} ${path}`, [...names].sort()]);
    const documented = OPERATIONS.map(({ method, path, query }) => [
      `${method.toUpperCase()} ${path}`,
      query === undefined ? [] : Object.keys(z.toJSONSchema(query, { io: 'input' }).properties ?? {}).sort(),
    ]);
    expect(new Map(routes as [string, string[]][])).toEqual(new Map(documented as [string, string[]][]));
  });
});
