import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestConsole, type TestConsole } from '../../test/app.ts';
import { ACTIONS, ROLES, type Action, type Role } from '../domain/roles.ts';
import { FORWARDED, OWN } from './routes.ts';

let t: TestConsole;
beforeAll(async () => {
  t = await startTestConsole();
});
afterAll(() => t.close());

/** Who may do what, written down a second time, by initials: support, operator, finance, admin. */
// prettier-ignore
const EXPECTED: Readonly<Record<Action, string>> = {
  'withdrawals.read':     'sofa',
  'withdrawals.export':   '  fa',
  'withdrawals.take':     '  fa',
  'withdrawals.approve':  '  fa',
  'withdrawals.reject':   '  fa',
  'withdrawals.complete': '  fa',
  'withdrawals.fail':     '  fa',
  'withdrawals.cancel':   ' ofa',
  'fundings.read':        '  fa',
  'fundings.propose':     '  fa',
  'fundings.confirm':     '  fa',
  'fundings.reject':      '  fa',
  'beneficiaries.read':   'sofa',
  'beneficiaries.propose': ' o a',
  'beneficiaries.confirm': ' ofa',
  'partners.read':        'sofa',
  'partners.create':      ' o a',
  'partners.limit':       ' o a',
  'partners.suspend':     ' o a',
  'partners.resume':      ' o a',
  'keys.register':        ' o a',
  'keys.activate':        ' o a',
  'keys.revoke':          ' o a',
  'deliveries.read':      'sofa',
  'deliveries.resend':    'so a',
  'deliveries.test':      'so a',
  'deliveries.replay':    ' o a',
  'secrets.rotate':       ' o a',
  'payments.read':        'sofa',
  'payments.export':      ' ofa',
  'payments.refund':      ' ofa',
  'stores.read':          'sofa',
  'stores.create':        ' o a',
  'stores.capabilities':  ' o a',
  'points.create':        ' o a',
  'points.change':        ' o a',
  'routes.read':          'sofa',
  'routes.create':        ' o a',
  'routes.change':        ' o a',
  'overview.read':        'sofa',
  'dead-letters.read':    'sofa',
  'dead-letters.redrive': ' o a',
  'proposals.read':       'sofa',
  'proposals.decide':     ' ofa',
  'exceptions.read':      'sofa',
  'exceptions.settle':    '  fa',
  'reconciliations.read': 'sofa',
  'reconciliations.run':  '  fa',
  'ledger.read':          '  fa',
  'consents.read':        'sofa',
  'buyers.erase':         ' o a',
  'audit.read':           '  fa',
  'operators.read':       '   a',
  'operators.manage':     '   a',
  'operators.confirm':    '   a',
};

const initialOf = (role: Role) => role.charAt(0);
const ROUTES = [
  ...FORWARDED.map(({ method, upstream, path, action }) => ({ method, path: `/api/${upstream}${path}`, action })),
  ...Object.values(OWN),
].map(({ method, path, action }) => ({ call: `${method.toUpperCase()} ${path}`, action }));

/** A call of the route: with ids that name nothing, and a body that every route refuses. */
function ask(call: string, cookie: string | undefined) {
  const [method = '', pattern = ''] = call.split(' ');
  const path = pattern.replace(/:(\w+)/g, 'none');
  return t.call(method, path, {
    ...(cookie === undefined ? {} : { cookie }),
    ...(method === 'GET' ? {} : { body: {} }),
  });
}

describe('the table role × action', () => {
  it('has a row for every action, and every action has a route', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(ACTIONS).sort());
    expect([...new Set(ROUTES.map(({ action }) => action))].sort()).toEqual(Object.keys(ACTIONS).sort());
  });

  describe.each(ROUTES)('$call', ({ call, action }) => {
    it.each(ROLES)(`${action} by %s: as the table says, from the API`, async (role) => {
      const before = t.received.length;
      const { status, body } = await ask(call, await t.cookieOf(role));
      const isAllowed = EXPECTED[action].includes(initialOf(role));
      const answered = status !== 403 && status !== 401;
      // Refused before anything was asked of anybody.
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
