import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { OPERATOR_OPERATIONS } from '../../contract/src/operator/operations.ts';
import { listen, type Listener } from '../src/http/server.ts';
import type { OperatorIdentityVerifier } from '../src/operators/operator-identity.ts';
import { ROLES, type Role } from '../src/operators/roles.ts';
import { testConsoleKey } from './operators.ts';

/**
 * Who may call each operator route, stated a second time, by initials: support, operator, finance, admin. The console and
 * each service are tested against it separately: neither relies on the other.
 */
export const MAY_CALL = {
  gateway: {
    'POST /partners': ' o a',
    'GET /partners': 'sofa',
    'GET /partners/:id': 'sofa',
    'PUT /partners/:id/rate-limit': ' o a',
    'POST /partners/:id/suspend': ' o a',
    'POST /partners/:id/resume': ' o a',
    'POST /partners/:id/keys': ' o a',
    'POST /partners/:id/keys/:id/activate': ' o a',
    'POST /partners/:id/keys/:id/revoke': ' o a',
    'GET /partners/:id/audit': 'sofa',
  },
  payments: {
    'GET /payments': 'sofa',
    'GET /payments/:id': 'sofa',
    'POST /payments/:id/refunds': ' ofa',
    'GET /proposals': 'sofa',
    'POST /proposals/:id/confirm': ' ofa',
    'POST /proposals/:id/reject': ' ofa',
    'POST /payments/:id/erase-buyer': ' o a',
    'GET /exceptions': 'sofa',
    'GET /exceptions/:id': 'sofa',
    'POST /exceptions/:id/settle': '  fa',
    'POST /exceptions/:id/read-back': '  fa',
    'POST /exceptions/:id/book': '  fa',
    'POST /exceptions/:id/return': '  fa',
    'GET /reconciliations': 'sofa',
    'POST /reconciliations': '  fa',
    'GET /reconciliations/:id/:id': 'sofa',
    'GET /payment-points/:id/routes/:id': 'sofa',
    'PUT /payment-points/:id/routes/:id': ' o a',
    'GET /routes': 'sofa',
    'POST /routes': ' o a',
    'PUT /routes/:id/limits': ' o a',
    'POST /routes/:id/suspend': ' o a',
    'POST /routes/:id/resume': ' o a',
    'GET /partners/:id/operations.csv': ' ofa',
    'GET /ledger/trial-balance': '  fa',
    'GET /ledger/statements/:id': '  fa',
    'GET /stores': 'sofa',
    'POST /stores': ' o a',
    'PUT /stores/:id/merchant-consent': ' o a',
    'POST /stores/:id/payment-points': ' o a',
    'GET /payment-points/:id': 'sofa',
    'PUT /payment-points/:id': ' o a',
    'GET /held-back-cards': 'sofa',
    'POST /held-back-cards/let-through': ' o a',
    'GET /overview': 'sofa',
    'GET /actions': '  fa',
    'GET /queues': 'sofa',
  },
  bindings: {
    'GET /bindings': 'sofa',
    'GET /bindings/:id': 'sofa',
    'POST /bindings/:id/revoke': 'so a',
    'POST /bindings/:id/erase-buyer': ' o a',
    'GET /consents/:id': 'sofa',
    'GET /queues': 'sofa',
    'GET /dead-letters': 'sofa',
    'GET /dead-letters/:id': 'sofa',
    'POST /dead-letters/redrive': ' o a',
    'POST /dead-letters/:id/redrive': ' o a',
    'GET /facts': 'sofa',
    'POST /facts/republish': ' o a',
  },
  withdrawals: {
    'GET /withdrawals': 'sofa',
    'GET /withdrawals/counts': 'sofa',
    'GET /withdrawals/:id': 'sofa',
    'POST /withdrawals/:id/take': '  fa',
    'POST /withdrawals/:id/approve': '  fa',
    'POST /withdrawals/:id/reject': '  fa',
    'POST /withdrawals/:id/complete': '  fa',
    'POST /withdrawals/:id/fail': '  fa',
    'POST /withdrawals/:id/cancel': ' ofa',
    'GET /partners/:id/beneficiaries': 'sofa',
    'POST /partners/:id/beneficiaries': ' o a',
    'POST /beneficiaries/:id/confirm': ' ofa',
    'POST /beneficiaries/:id/reject': ' ofa',
    'POST /beneficiaries/:id/revoke': ' ofa',
    'GET /partners/:id/audit': '  fa',
    'GET /stores': 'sofa',
    'POST /stores/:id/fundings': '  fa',
    'GET /fundings': '  fa',
    'POST /fundings/:id/confirm': '  fa',
    'POST /fundings/:id/reject': '  fa',
    'GET /overview': 'sofa',
    'GET /queues': 'sofa',
    'GET /dead-letters': 'sofa',
    'GET /dead-letters/:id': 'sofa',
    'POST /dead-letters/redrive': ' o a',
    'POST /dead-letters/:id/redrive': ' o a',
    'GET /facts': 'sofa',
    'POST /facts/republish': ' o a',
  },
  notifier: {
    'GET /events': 'sofa',
    'GET /events/:id': 'sofa',
    'POST /events/:id/resend': 'so a',
    'GET /replays': 'sofa',
    'POST /replays': ' o a',
    'GET /replays/:id': 'sofa',
    'POST /replays/:id/cancel': ' o a',
    'GET /partners': 'sofa',
    'GET /partners/:id': 'sofa',
    'POST /partners/:id/secret-rotation': ' o a',
    'POST /partners/:id/test-callback': 'so a',
    'GET /alerts': 'sofa',
    'GET /actions': 'sofa',
    'GET /gaps': 'sofa',
    'GET /overview': 'sofa',
    'GET /queues': 'sofa',
    'GET /dead-letters': 'sofa',
    'GET /dead-letters/:id': 'sofa',
    'POST /dead-letters/redrive': ' o a',
    'POST /dead-letters/:id/redrive': ' o a',
    'GET /facts': 'sofa',
    'POST /facts/republish': ' o a',
  },
  /** The routes that the console serves itself. */
  console: {
    'GET /api/withdrawals.csv': '  fa',
    'GET /api/withdrawals.xlsx': '  fa',
    'GET /api/payments.csv': ' ofa',
    'GET /api/payments.xlsx': ' ofa',
    'GET /api/events.csv': ' ofa',
    'GET /api/events.xlsx': ' ofa',
    'GET /api/exceptions.csv': '  fa',
    'GET /api/exceptions.xlsx': '  fa',
    'GET /api/reconciliations.csv': '  fa',
    'GET /api/reconciliations.xlsx': '  fa',
    'GET /api/proposals.csv': ' ofa',
    'GET /api/proposals.xlsx': ' ofa',
    'GET /api/held-back-cards.csv': ' o a',
    'GET /api/held-back-cards.xlsx': ' o a',
    'GET /api/fundings.csv': '  fa',
    'GET /api/fundings.xlsx': '  fa',
    'GET /api/partners.csv': ' ofa',
    'GET /api/partners.xlsx': ' ofa',
    'GET /api/routes.csv': ' ofa',
    'GET /api/routes.xlsx': ' ofa',
    'GET /api/bindings-dead-letters.csv': ' o a',
    'GET /api/bindings-dead-letters.xlsx': ' o a',
    'GET /api/withdrawals-dead-letters.csv': ' o a',
    'GET /api/withdrawals-dead-letters.xlsx': ' o a',
    'GET /api/notifier-dead-letters.csv': ' o a',
    'GET /api/notifier-dead-letters.xlsx': ' o a',
    'GET /api/waiting': 'sofa',
    'GET /api/audit': '  fa',
    'GET /api/audited-actions': '  fa',
    'GET /api/audited-actions.csv': '  fa',
    'GET /api/operators': '   a',
    'GET /api/operators.csv': '   a',
    'GET /api/sessions': '   a',
    'POST /api/sessions/:id/end': '   a',
    'POST /api/operators': '   a',
    'POST /api/operators/:id/:id': '   a',
    'GET /api/account-changes': '   a',
    'POST /api/account-changes/:id/:id': '   a',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A route by its method and path, whatever the names of its parameters. */
export const routeName = (method: string, path: string): string => `${method.toUpperCase()} ${path.replace(/:\w+/g, ':id')}`;

/** A path of the document as Express writes it. */
export const pathOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Whether the cell of the table includes the role. */
export const isNamed = (initials: string, role: Role): boolean => initials.includes(role.charAt(0));

/**
 * Calls every route of a service's operator API with every role. `start` creates the API with what it needs, and
 * returns how to stop it.
 */
export function describeOperatorRoles(
  service: Exclude<keyof typeof MAY_CALL, 'console'>,
  audience: string,
  start: (verify: OperatorIdentityVerifier) => Promise<{ app: Express; close: () => Promise<void> }>,
): void {
  const table: Readonly<Record<string, string>> = MAY_CALL[service];
  const people = testConsoleKey();
  let api: Awaited<ReturnType<typeof start>>;
  let listener: Listener;
  beforeAll(async () => {
    api = await start(people.verifierOf(audience));
    listener = await listen(api.app, '127.0.0.1', 0);
  });
  afterAll(async () => {
    await listener.drain(0);
    await api.close();
  });

  describe(`the operator routes of ${service}`, () => {
    it('S4: are those of the table, each of them', () => {
      expect(routesOf(api.app).sort()).toEqual(Object.keys(table).sort());
    });

    it('are those of the document of the operator API, each of them', () => {
      const described = OPERATOR_OPERATIONS[service].map(({ method, path }) => routeName(method, pathOf(path)));
      expect(routesOf(api.app).sort()).toEqual(described.sort());
    });

    it.each(Object.entries(table))('S4: %s is for %s, asked of the service itself', async (route, initials) => {
      const [method = '', path = ''] = route.split(' ');
      const url = `http://127.0.0.1:${String(listener.port)}${path.replaceAll(':id', 'none')}`;
      // Unknown ids, and a body that every route refuses.
      const body = method === 'GET' ? {} : { body: {} };
      const ask = async (role: Role) => (await people.fetchAs(audience, { login: role, role }, url, { method, ...body })).status;
      const answers = await Promise.all(ROLES.map(async (role) => [role, await ask(role)] as const));
      const letThrough = answers.filter(([, status]) => status !== 403).map(([role]) => role);
      expect(letThrough).toEqual(ROLES.filter((role) => isNamed(initials, role)));
      for (const [, status] of answers) expect([200, 400, 403, 404, 409]).toContain(status);
    });
  });
}

function routesOf(app: Express): string[] {
  const names = app.router.stack.flatMap(({ route }) =>
    route === undefined ? [] : route.stack.map(({ method }) => routeName(method, route.path)),
  );
  return [...new Set(names)];
}
