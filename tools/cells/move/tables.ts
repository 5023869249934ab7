import { cardTokenContext } from '../../../services/payments/src/use-cases/saved-card/save-card.ts';
import { secretContext } from '../../../services/notifier/src/domain/callback-secret.ts';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';

/** The services that hold data of partners, in the order in which a move commits them: the gateway's lets the partner in. */
export const MOVED_SERVICES = ['payments', 'bindings', 'withdrawals', 'notifier', 'gateway'] as const;
export type MovedService = (typeof MOVED_SERVICES)[number];

/** A table whose rows move with their partner. */
export type MovedTable = {
  readonly name: string;
  /** A condition on the table `t`; `$1` is the partner. By default the table names it. */
  readonly where?: string;
  /** The column that orders the rows and gets new numbers from its sequence, in the old order. */
  readonly numbered?: string;
  /** Columns with another value in the new cell: SQL; `$2` is the partner. */
  readonly set?: Readonly<Record<string, string>>;
  /** A column that is encrypted under the cell's own key. */
  readonly secret?: {
    readonly column: string;
    readonly beside: string;
    readonly contextOf: (partnerId: PartnerId, beside: string) => string;
  };
};

const OF_PARTNER = 't.partner_id = $1';
const ownPayment = 'select p.payment_id from payments p where p.partner_id = $1';
const ownStore = 'select s.store_id from stores s where s.partner_id = $1';
const BOOKED = `t.reference_id in (${ownPayment} union all select r.refund_id from refunds r where r.partner_id = $1
  union all select m.return_id from money_returns m where m.payment_id in (${ownPayment}))`;

const OWN_ENTRIES = `ledger_entries e where e.account in ('PARTNER_PAYABLE', 'FEE_INCOME')
  and (e.owner = $2 or e.owner in (select p.payment_point_id from payment_points p where p.partner_id = $2))`;
/**
 * The positions by which the next closing passes over what is settled, as they are in the new cell
 * (decisions/daily-registers): the lines are there.
 */
const HIGHEST = `coalesce((select max(e.position) from ${OWN_ENTRIES}), 0)`;
const SETTLED = `coalesce((select min(e.position) - 1 from ${OWN_ENTRIES}
  and not exists (select from register_lines l where l.ledger_transaction_id = e.ledger_transaction_id)), ${HIGHEST})`;

/** Every table whose rows move, each after those that it refers to. A test compares it with the schemas. */
export const MOVED_TABLES: Readonly<Record<MovedService, readonly MovedTable[]>> = {
  payments: [
    { name: 'stores' },
    { name: 'payment_points' },
    { name: 'point_routes', where: 't.payment_point_id in (select p.payment_point_id from payment_points p where p.partner_id = $1)' },
    { name: 'integration_endpoints' },
    { name: 'payments' },
    { name: 'declined_cards', where: `t.payment_id in (${ownPayment})` },
    { name: 'refunds' },
    {
      name: 'saved_cards',
      secret: { column: 'card_token_encrypted', beside: 'binding_id', contextOf: (_partnerId, bindingId) => cardTokenContext(bindingId) },
    },
    { name: 'money_returns', where: `t.payment_id in (${ownPayment})` },
    { name: 'exceptions', where: `t.payment_id in (${ownPayment})` },
    { name: 'reconciliation_items', where: `t.payment_id in (${ownPayment})` },
    { name: 'ledger_transactions', where: BOOKED },
    {
      name: 'ledger_entries',
      where: `t.ledger_transaction_id in (select t.ledger_transaction_id from ledger_transactions t where ${BOOKED})`,
      numbered: 'position',
    },
    // Before their registers, which read them.
    {
      name: 'register_lines',
      where: `t.payment_id in (${ownPayment})`,
    },
    { name: 'registers', set: { highest_position: HIGHEST, settled_position: SETTLED } },
    { name: 'idempotency_records' },
  ],
  bindings: [{ name: 'consents' }, { name: 'bindings' }, { name: 'charges' }, { name: 'idempotency_records' }],
  withdrawals: [
    { name: 'stores' },
    { name: 'beneficiaries' },
    { name: 'balances', where: `t.store_id in (${ownStore})` },
    { name: 'withdrawals' },
    { name: 'fundings', where: `t.store_id in (${ownStore})` },
    {
      name: 'ledger_transactions',
      where: `t.reference_id in (select w.withdrawal_request_id from withdrawals w where w.partner_id = $1 union all select f.funding_id from fundings f where f.store_id in (${ownStore}))`,
    },
    { name: 'ledger_entries', where: `t.store_id in (${ownStore})`, numbered: 'position' },
    { name: 'registers' },
    { name: 'register_lines', where: `t.store_id in (${ownStore})` },
    { name: 'idempotency_records' },
  ],
  notifier: [
    { name: 'receivers' },
    {
      name: 'callback_keys',
      secret: { column: 'encrypted_secret', beside: 'key_id', contextOf: secretContext },
    },
    { name: 'replays' },
    { name: 'alerts', numbered: 'id' },
    { name: 'idempotency_records' },
    { name: 'aggregates', set: { lease_id: 'null', lease_holder: 'null', leased_until: 'null' } },
    { name: 'attempts', numbered: 'id' },
    // Last: while they are written, the streams of all partners of the new cell wait (decisions/event-stream).
    { name: 'events' },
  ],
  gateway: [
    { name: 'partners', set: { status: `'ACTIVE'`, revision: `nextval('partner_revision')`, told_revision: '0' } },
    { name: 'partner_keys' },
  ],
};

/** Every other table of these services, and why its rows stay. */
export const STAYING_TABLES: Readonly<Record<string, string>> = {
  'gateway.moved_partners': 'of the cell: who was moved away',
  'payments.moved_partners': 'of the cell: who was moved away',
  'bindings.moved_partners': 'of the cell: who was moved away',
  'withdrawals.moved_partners': 'of the cell: who was moved away',
  'notifier.moved_partners': 'of the cell: who was moved away',
  'gateway.used_identities': 'of the staff of the cell, for half a minute',
  'payments.used_identities': 'of the staff of the cell, for half a minute',
  'bindings.used_identities': 'of the staff of the cell, for half a minute',
  'withdrawals.used_identities': 'of the staff of the cell, for half a minute',
  'notifier.used_identities': 'of the staff of the cell, for half a minute',
  'gateway.nonces': 'they name no partner: those of the last 15 to 30 minutes are copied, whose ever they are',
  'gateway.rate_buckets': 'a partner begins with a full bucket',
  'gateway.portal_challenges': 'the partner signs in to the portal of the new cell',
  'gateway.portal_sessions': 'ended by the move: the partner signs in to the portal of the new cell',
  'gateway.request_log': 'of TEST, and short-lived',
  'gateway.operator_audit': 'sealed; with the cell whose staff acted',
  'payments.operator_actions': 'sealed; with the cell whose staff acted',
  'withdrawals.operator_audit': 'sealed; with the cell whose staff acted',
  'notifier.operator_actions': 'sealed; with the cell whose staff acted',
  'payments.proposals': 'decided before the move; with the cell whose staff acted',
  'payments.one_person_totals': 'with the cell whose staff acted',
  'payments.partner_standings': "told anew by the new cell's gateway",
  'payments.ledger_balances': 'added up anew as the entries are inserted',
  'payments.store_logos': 'only the previous version shows them',
  'payments.letters': 'only the previous version sends them',
  'payments.bank_asks': 'nothing is open, so no bank is asked',
  'payments.card_attempts': 'hashes under a key of the cell, for a day: cards are counted anew',
  'payments.velocity_limits': 'of the cell',
  'payments.routes': 'of the cell: the new one has routes of the same names',
  'payments.reconciliations': 'of the cell: compared days of its routes',
  'payments.outbox': 'published before the move',
  'bindings.outbox': 'published before the move',
  'withdrawals.outbox': 'published before the move',
  'payments.published': 'of the cell: who consumes lives in it',
  'bindings.published': 'of the cell: who consumes lives in it',
  'withdrawals.published': 'of the cell: who consumes lives in it',
  'payments.inbox': 'of the cell: messages do not leave it',
  'bindings.inbox': 'of the cell: messages do not leave it',
  'withdrawals.inbox': 'of the cell: messages do not leave it',
  'notifier.inbox': 'of the cell: messages do not leave it',
  'bindings.dead_letters': 'redriven before the move',
  'withdrawals.dead_letters': 'redriven before the move',
  'notifier.dead_letters': 'redriven before the move',
  'payments.relay_lease': 'of the cell',
  'bindings.relay_lease': 'of the cell',
  'withdrawals.relay_lease': 'of the cell',
  'gateway.seals': 'of the cell: moved bookings are sealed anew there, the old ones stay sealed here',
  'payments.seals': 'of the cell: moved bookings are sealed anew there, the old ones stay sealed here',
  'withdrawals.seals': 'of the cell: moved bookings are sealed anew there, the old ones stay sealed here',
  'notifier.seals': 'of the cell: moved bookings are sealed anew there, the old ones stay sealed here',
};

/** A table's condition on its alias `t`. */
export const whereOf = ({ where = OF_PARTNER }: MovedTable): string => where;
