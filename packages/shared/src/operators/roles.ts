/** The operators' roles. Each operator has exactly one. */
export const ROLES = ['support', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const everybody: readonly Role[] = ROLES;
const office: readonly Role[] = ['operator', 'admin'];
const money: readonly Role[] = ['finance', 'admin'];
const withOffice: readonly Role[] = ['operator', 'finance', 'admin'];
const desk: readonly Role[] = ['support', 'operator', 'admin'];

/**
 * Every action of operators and the roles that may perform it. The only table: the console checks it first, its pages
 * hide what would be refused, and each service checks it again for the role in the signed identity. The service that
 * owns a thing decides what takes two people.
 */
export const ACTIONS = {
  'withdrawals.read': everybody,
  'withdrawals.export': money,
  'withdrawals.take': money,
  'withdrawals.approve': money,
  'withdrawals.reject': money,
  'withdrawals.complete': money,
  'withdrawals.fail': money,
  'withdrawals.cancel': withOffice,
  'fundings.read': money,
  'fundings.export': money,
  'fundings.propose': money,
  'fundings.confirm': money,
  'fundings.reject': money,
  'beneficiaries.read': everybody,
  'beneficiaries.propose': office,
  'beneficiaries.confirm': withOffice,
  'beneficiaries.revoke': withOffice,
  'partners.read': everybody,
  'partners.export': withOffice,
  'partners.create': office,
  'partners.limit': office,
  'partners.suspend': office,
  'partners.resume': office,
  'keys.register': office,
  'keys.activate': office,
  'keys.revoke': office,
  'deliveries.read': everybody,
  'deliveries.export': withOffice,
  'deliveries.resend': desk,
  'deliveries.test': desk,
  'deliveries.replay': office,
  'secrets.rotate': office,
  'payments.read': everybody,
  'payments.export': withOffice,
  'payments.refund': withOffice,
  'stores.read': everybody,
  'stores.create': office,
  'stores.capabilities': office,
  'points.create': office,
  'points.change': office,
  'routes.read': everybody,
  'routes.export': withOffice,
  'routes.create': office,
  'routes.change': office,
  'overview.read': everybody,
  'dead-letters.read': everybody,
  'dead-letters.export': office,
  'dead-letters.redrive': office,
  'facts.read': everybody,
  'facts.republish': office,
  'proposals.read': everybody,
  'proposals.export': withOffice,
  'proposals.decide': withOffice,
  'held-back.read': everybody,
  'held-back.export': office,
  'held-back.let-through': office,
  'exceptions.read': everybody,
  'exceptions.export': money,
  'exceptions.settle': money,
  'reconciliations.read': everybody,
  'reconciliations.export': money,
  'reconciliations.run': money,
  'ledger.read': money,
  'consents.read': everybody,
  'bindings.revoke': desk,
  'buyers.erase': office,
  'audit.read': money,
  'audit.export': money,
  'sessions.read': ['admin'],
  'sessions.end': ['admin'],
  'operators.read': ['admin'],
  'operators.export': ['admin'],
  'operators.manage': ['admin'],
  'operators.confirm': ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ACTIONS;

/** Whether the role may do that. */
export function may(role: Role, action: Action): boolean {
  const allowed: readonly Role[] = ACTIONS[action];
  return allowed.includes(role);
}
