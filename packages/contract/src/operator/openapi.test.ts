import { describe, expect, it } from '@jest/globals';
import { operatorDocument } from './openapi.ts';
import { OPERATOR_OPERATIONS } from './operations.ts';
import { targetOf, WITHDRAWAL_ACTIONS, WITHDRAWAL_ACTIONS_IN } from './states.ts';

describe('the document of the operator API', () => {
  const document = operatorDocument();
  const text = JSON.stringify(document);
  const operations = Object.entries(OPERATOR_OPERATIONS).flatMap(([service, own]) => own.map((operation) => ({ service, ...operation })));

  it('every reference leads somewhere', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(200);
    for (const [, kind = '', name = ''] of references) expect(document['components']).toHaveProperty([kind, name]);
  });

  it('has every route of every service once, by an id of its own', () => {
    expect(
      Object.entries(document['paths'] ?? {})
        .flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`))
        .sort(),
    ).toEqual(operations.map(({ service, method, path }) => `${method} /api/${service}${path}`).sort());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });
});

describe('actions on a payout request', () => {
  it('each is allowed in some state, and each state lists the route it is done by', () => {
    const allowed = new Set(Object.values(WITHDRAWAL_ACTIONS_IN).flatMap((actions) => Object.keys(actions)));
    expect(allowed).toEqual(new Set(WITHDRAWAL_ACTIONS));
    const routes = OPERATOR_OPERATIONS.withdrawals.map(({ method, path }) => `${method} ${path}`);
    for (const action of WITHDRAWAL_ACTIONS) expect(routes).toContain(`post /withdrawals/{requestID}/${action}`);
  });

  it('a state that is final allows none', () => {
    expect(targetOf('COMPLETED', 'fail')).toBeUndefined();
    expect(targetOf('REQUESTED', 'approve')).toBeUndefined();
    expect(targetOf('IN_REVIEW', 'approve')).toBe('APPROVED');
  });
});
