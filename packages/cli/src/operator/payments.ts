import { randomUUID } from 'node:crypto';
import { Argument, Option, type Command } from 'commander';
import { callOperatorApi as call, readOperatorApi } from './api.ts';
import { queryOf } from './notifier.ts';
import { changedSettings, settingsOf, withChangedSettings, withNewSettings, type TypedSettings } from './point-settings.ts';

const named = (folder: string, id: string): string => `${folder}/${encodeURIComponent(id)}`;

/** `pay operator payments`, `stores`, `points`, `routes`: the operator API of payments. */
export function addPaymentsCommands(operator: Command): void {
  addPaymentCommands(operator);
  addStoreCommands(operator);
  addPointCommands(operator);
  addRouteCommands(operator);
}

type PaymentFilter = {
  id?: string;
  partner?: string;
  point?: string;
  status?: string;
  method?: string;
  cardLastFour?: string;
  amount?: string;
  from?: string;
  to?: string;
  limit?: string;
  pageToken?: string;
};
type ProposalFilter = { status?: string; kind?: string; limit?: string; pageToken?: string };
type Refund = { seenVersion: number; reason: string; amount?: string; key: string };

function addPaymentCommands(operator: Command): void {
  const payments = operator.command('payments').description('payments of all partners (payments)');
  payments
    .command('list')
    .description('list payments, newest first')
    .option('--id <id>', 'any id in full: payment, order, buyer, bank operation, refund, binding')
    .option('--partner <partnerID>')
    .option('--point <paymentPointID>')
    .option('--status <status>', 'such as COMPLETED')
    .option('--method <method>', 'CARD, CARD_BINDING or SBP_DYNAMIC_QR')
    .option('--card-last-four <digits>', 'needs --from and --to')
    .option('--amount <rubles>', 'exactly this amount; needs --from and --to')
    .option('--from <moment>', 'created at this time or later')
    .option('--to <moment>', 'created before this time')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action(({ partner, point, ...filter }: PaymentFilter, command: Command) =>
      call(command, 'payments', `GET payments${queryOf({ partnerID: partner, paymentPointID: point, ...filter })}`),
    );
  payments
    .command('get <paymentId>')
    .description('show its full history: bank, 3-D Secure and liability, ledger, refunds, exceptions')
    .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `GET ${named('payments', id)}`));
  payments
    .command('refund <paymentId>')
    .description('refund part of it, or the remaining amount; the partner is notified. Above the limit: a proposal')
    .requiredOption('--seen-version <number>', 'aggregateVersion of the payment you saw', Number)
    .requiredOption('--reason <text>', 'up to 140 characters; visible to the partner')
    .option('--amount <rubles>', 'with two decimals; default: the remaining amount')
    .addOption(new Option('--key <uuid>', 'idempotency key: a repeat refunds once').default(randomUUID(), 'a new one'))
    .action((id: string, body: Refund, command: Command) => call(command, 'payments', `POST ${named('payments', id)}/refunds`, body));
  payments
    .command('proposals')
    .description('list fees, weaker authentication and larger refunds, returns and bookings that need, or had, a second person')
    .option('--status <status>', 'PROPOSED, CONFIRMED or REJECTED')
    .option('--kind <kind>', 'POINT, FEE, AUTHENTICATION, REFUND, RETURN or BOOK')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the previous page')
    .action((filter: ProposalFilter, command: Command) => call(command, 'payments', `GET proposals${queryOf(filter)}`));
  for (const [verb, meaning] of [
    ['confirm', 'confirm and carry out a proposal; not by the person who made it'],
    ['reject', 'reject a proposal'],
  ] as const) {
    payments
      .command(`${verb} <proposalId>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `POST ${named('proposals', id)}/${verb}`));
  }
  payments
    .command('actions')
    .description('show the audit log of payments, stores, points and routes')
    .option('--subject <id>', 'only for this id')
    .option('--limit <count>', '1 to 100')
    .action(({ subject, limit }: { subject?: string; limit?: string }, command: Command) =>
      call(command, 'payments', `GET actions${queryOf({ subjectId: subject, limit })}`),
    );
}

function addStoreCommands(operator: Command): void {
  const stores = operator.command('stores').description('stores of partners (payments)');
  stores
    .command('list')
    .description('list stores by id, with their payment points')
    .option('--partner <partnerID>')
    .option('--after <storeID>', 'start after this one')
    .action(({ partner, after }: { partner?: string; after?: string }, command: Command) =>
      call(command, 'payments', `GET stores${queryOf({ partnerID: partner, after, limit: '100' })}`),
    );
  stores
    .command('create <storeID> <name>')
    .description('create a store of a partner; its owner cannot be changed')
    .requiredOption('--partner <partnerID>')
    .action((storeId: string, name: string, { partner: partnerID }: { partner: string }, command: Command) =>
      call(command, 'payments', 'POST stores', { storeId, partnerID, name }),
    );
  stores
    .command('merchant-consent <storeID>')
    .description('set whether the store may collect card-saving consent on its own site')
    .addArgument(new Argument('<answer>').choices(['on', 'off']))
    .action((storeID: string, answer: string, _options: unknown, command: Command) =>
      call(command, 'payments', `PUT ${named('stores', storeID)}/merchant-consent`, { enabled: answer === 'on' }),
    );
}

function addPointCommands(operator: Command): void {
  const points = operator.command('points').description('payment points (payments)');
  points
    .command('get <paymentPointID>')
    .description('show its settings')
    .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `GET ${named('payment-points', id)}`));
  withNewSettings(points.command('create <storeID> <paymentPointID>').description('create a payment point in a store')).action(
    (storeID: string, paymentPointID: string, settings: TypedSettings, command: Command) =>
      call(command, 'payments', `POST ${named('stores', storeID)}/payment-points`, {
        paymentPointID,
        ...settingsOf(settings),
      }),
  );
  withChangedSettings(
    points
      .command('change <paymentPointID>')
      .description('change the settings that are named, for new payments; the others stay as they are'),
  )
    .requiredOption('--revision <number>', 'the revision you saw', Number)
    .action(async (id: string, typed: TypedSettings & { revision: number }, command: Command) => {
      const path = named('payment-points', id);
      const point = await readOperatorApi(command, 'payments', `GET ${path}`);
      await call(command, 'payments', `PUT ${path}`, changedSettings(point, typed));
    });
  addHeldBackCommands(points);
  points
    .command('routes <paymentPointID> <method>')
    .description('list the acquiring routes of a method in order; --set replaces them')
    .option('--set <routes...>', 'routeId, or routeId:min:max with two decimals; none: the point’s default route')
    .action((id: string, method: string, { set }: { set?: string[] }, command: Command) => {
      const path = `${named('payment-points', id)}/routes/${encodeURIComponent(method)}`;
      return set === undefined
        ? call(command, 'payments', `GET ${path}`)
        : call(command, 'payments', `PUT ${path}`, { routes: set.map(routeOf) });
    });
}

function addHeldBackCommands(points: Command): void {
  points
    .command('held-back')
    .description('list the velocity rules and the points where they held cards back in the last day, worst first: possible card testing')
    .action((_options: unknown, command: Command) => call(command, 'payments', 'GET held-back-cards'));
  points
    .command('let-through <paymentPointID>')
    .description('clear the cards that a velocity rule counts against its buyers; recorded in the audit log')
    .addArgument(new Argument('<rule>').choices(['address', 'bin', 'point']))
    .requiredOption('--reason <text>', 'why this is not card testing; up to 140 characters')
    .action((paymentPointId: string, rule: string, { reason }: { reason: string }, command: Command) =>
      call(command, 'payments', 'POST held-back-cards/let-through', { paymentPointId, rule, reason }),
    );
}

function routeOf(text: string): Readonly<Record<string, string>> {
  const [routeId = '', minAmount, maxAmount] = text.split(':');
  return {
    routeId,
    ...(minAmount === undefined ? {} : { minAmount }),
    ...(maxAmount === undefined ? {} : { maxAmount }),
  };
}

function addRouteCommands(operator: Command): void {
  const routes = operator.command('routes').description('acquiring routes (payments)');
  routes
    .command('list')
    .description('list all routes with state and limits')
    .action((_options: unknown, command: Command) => call(command, 'payments', 'GET routes'));
  routes
    .command('create <routeId> <connector>')
    .description('create a route for a connector of this system')
    .option('--min <rubles>', 'lowest amount, with two decimals')
    .option('--max <rubles>', 'highest amount, with two decimals')
    .action((routeId: string, connector: string, { min, max }: { min?: string; max?: string }, command: Command) =>
      call(command, 'payments', 'POST routes', {
        routeId,
        connector,
        ...(min === undefined ? {} : { minAmount: min }),
        ...(max === undefined ? {} : { maxAmount: max }),
      }),
    );
  routes
    .command('limits <routeId>')
    .description('set its amount limits')
    .requiredOption('--min <rubles>')
    .requiredOption('--max <rubles>')
    .action((id: string, { min, max }: { min: string; max: string }, command: Command) =>
      call(command, 'payments', `PUT ${named('routes', id)}/limits`, { minAmount: min, maxAmount: max }),
    );
  for (const [verb, meaning] of [
    ['suspend', 'stop using it for new payments; payments in progress are completed'],
    ['resume', 'use it for new payments again'],
  ] as const) {
    routes
      .command(`${verb} <routeId>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) => call(command, 'payments', `POST ${named('routes', id)}/${verb}`));
  }
}
