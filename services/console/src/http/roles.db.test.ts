import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACTIONS, ROLES } from '@pay/shared/operators/roles.ts';
import { isNamed, MAY_CALL, routeName } from '../../../../packages/shared/test/operator-roles.ts';
import { startTestConsole, type TestConsole } from '../../test/app.ts';
import { FILE_FORMATS } from '../files/send-file.ts';
import { EXPORTED } from './exported-lists.ts';
import { FORWARDED, OWN } from './routes.ts';

let t: TestConsole;
beforeAll(async () => {
  t = await startTestConsole();
});
afterAll(() => t.close());

const ROUTES = [
  ...FORWARDED.map(({ method, service, path, action }) => {
    const table: Readonly<Record<string, string>> = MAY_CALL[service];
    return { call: `${method.toUpperCase()} /api/${service}${path}`, action, roles: table[routeName(method, path)] };
  }),
  ...[
    ...Object.values(OWN),
    ...Object.entries(EXPORTED).flatMap(([name, { action }]) =>
      FILE_FORMATS.map((format) => ({ method: 'get', path: `/api/${name}.${format}`, action })),
    ),
  ].map(({ method, path, action }) => {
    const table: Readonly<Record<string, string>> = MAY_CALL.console;
    return { call: `${method.toUpperCase()} ${path}`, action, roles: table[routeName(method, path)] };
  }),
];

/** Calls the route with ids that do not exist and a body that every route refuses. */
function ask(call: string, cookie: string | undefined) {
  const [method = '', pattern = ''] = call.split(' ');
  const path = pattern.replace(/:(\w+)/g, 'none');
  return t.call(method, path, {
    ...(cookie === undefined ? {} : { cookie }),
    ...(method === 'GET' ? {} : { body: {} }),
  });
}

describe('the table role × action', () => {
  it('has a row for every route, and every action has a route', () => {
    expect(ROUTES.filter(({ roles }) => roles === undefined)).toEqual([]);
    const rows = Object.values(MAY_CALL).flatMap((table) => Object.keys(table));
    expect(ROUTES).toHaveLength(rows.length);
    expect([...new Set(ROUTES.map(({ action }) => action))].sort()).toEqual(Object.keys(ACTIONS).sort());
  });

  describe.each(ROUTES)('$call', ({ call, action, roles = '' }) => {
    it.each(ROLES)(`${action} by %s: as the table says, from the API`, async (role) => {
      const before = t.received.length;
      const { status, body } = await ask(call, await t.cookieOf(role));
      const isAllowed = isNamed(roles, role);
      const answered = status !== 403 && status !== 401;
      // Refused before any service was called.
      const asked = !isAllowed && t.received.length > before;
      expect({ answered, code: isAllowed ? null : body['code'], asked }).toEqual({
        answered: isAllowed,
        code: isAllowed ? null : 'FORBIDDEN',
        asked: false,
      });
    });

    it('401 for who is not signed in', async () => {
      expect((await ask(call, undefined)).status).toBe(401);
    });
  });
});
