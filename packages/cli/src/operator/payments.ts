import { randomUUID } from 'node:crypto';
import { Argument, Option, type Command } from 'commander';
import { callOperatorApi as call } from './api.ts';
import { queryOf } from './notifier.ts';

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
  from?: string;
  to?: string;
  limit?: string;
  pageToken?: string;
};
type Refund = { seenVersion: number; reason: string; amount?: string; key: string };

function addPaymentCommands(operator: Command): void {
  const payments = operator.command('payments').description('any partner’s payments (payments)');
  payments
    .command('list')
    .description('newest first')
    .option('--id <id>', 'any id in full: payment, order, buyer, bank operation, refund, binding')
    .option('--partner <partnerID>')
    .option('--point <paymentPointID>')
    .option('--status <status>', 'such as COMPLETED')
    .option('--method <method>', 'CARD, CARD_BINDING or SBP_DYNAMIC_QR')
    .option('--from <moment>', 'created at this moment or later')
    .option('--to <moment>', 'created before this moment')
    .option('--limit <count>', '1 to 100')
    .option('--page-token <token>', 'nextPageToken of the page before')
    .action(({ partner, point, ...filter }: PaymentFilter, command: Command) =>
      call(command, 'payments', `GET payments${queryOf({ partnerID: partner, paymentPointID: point, ...filter })}`),
    );
  payments
    .command('get <paymentId>')
    .description('its whole story: bank, 3-D Secure and liability, books, refunds, exceptions')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'payments', `GET ${named('payments', id)}`),
    );
  payments
    .command('refund <paymentId>')
    .description('give a part of it back, or all that remains; the partner is told. Above the limit: a proposal')
    .requiredOption('--seen-version <number>', 'aggregateVersion of the payment that you saw', Number)
    .requiredOption('--reason <text>', 'up to 140 characters; the partner reads it')
    .option('--amount <rubles>', 'with two decimals; default: all that remains')
    .addOption(new Option('--key <uuid>', 'the same again refunds once').default(randomUUID(), 'a new one'))
    .action((id: string, body: Refund, command: Command) =>
      call(command, 'payments', `POST ${named('payments', id)}/refunds`, body),
    );
  payments
    .command('proposals')
    .description('fees, weaker authentication and larger refunds that wait for a second person, or had one')
    .option('--status <status>', 'PROPOSED, CONFIRMED or REJECTED')
    .action((filter: { status?: string }, command: Command) =>
      call(command, 'payments', `GET proposals${queryOf(filter)}`),
    );
  for (const [verb, meaning] of [
    ['confirm', 'does what it asks for; by another person than who proposed'],
    ['reject', 'nothing of it is done'],
  ] as const) {
    payments
      .command(`${verb} <proposalId>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) =>
        call(command, 'payments', `POST ${named('proposals', id)}/${verb}`),
      );
  }
  payments
    .command('actions')
    .description('what operators did to payments, stores, points and routes')
    .option('--subject <id>', 'only to this one')
    .option('--limit <count>', '1 to 100')
    .action(({ subject, limit }: { subject?: string; limit?: string }, command: Command) =>
      call(command, 'payments', `GET actions${queryOf({ subjectId: subject, limit })}`),
    );
}

function addStoreCommands(operator: Command): void {
  const stores = operator.command('stores').description('the shops of partners (payments)');
  stores
    .command('list')
    .description('by id, each with its payment points')
    .option('--partner <partnerID>')
    .option('--after <storeID>', 'those behind this one')
    .action(({ partner, after }: { partner?: string; after?: string }, command: Command) =>
      call(command, 'payments', `GET stores${queryOf({ partnerID: partner, after, limit: '100' })}`),
    );
  stores
    .command('create <storeID> <name>')
    .description('a new shop of a partner; it never changes hands')
    .requiredOption('--partner <partnerID>')
    .action((storeId: string, name: string, { partner: partnerID }: { partner: string }, command: Command) =>
      call(command, 'payments', 'POST stores', { storeId, partnerID, name }),
    );
  stores
    .command('merchant-consent <storeID>')
    .description('whether the shop may show the consent to save a card in its own interface')
    .addArgument(new Argument('<answer>').choices(['on', 'off']))
    .action((storeID: string, answer: string, _options: unknown, command: Command) =>
      call(command, 'payments', `PUT ${named('stores', storeID)}/merchant-consent`, { enabled: answer === 'on' }),
    );
}

type Point = {
  name: string;
  methods: string[];
  route: string;
  min: string;
  max: string;
  fee: number;
  session: number;
  status: string;
  whenNotAuthenticated?: string;
};

function addPointCommands(operator: Command): void {
  const points = operator.command('points').description('where partners take payments (payments)');
  const withSettings = (command: Command) =>
    command
      .requiredOption('--name <text>')
      .requiredOption('--methods <methods...>', 'CARD, SBP_DYNAMIC_QR')
      .requiredOption('--route <routeId>', 'the way to the bank')
      .option('--min <rubles>', 'lowest amount, with two decimals', '0.01')
      .option('--max <rubles>', 'highest amount, with two decimals', '1000000.00')
      .option('--fee <basisPoints>', 'ours, in hundredths of a percent; a second person confirms it', Number, 0)
      .option('--session <minutes>', 'how long a buyer may take', Number, 60)
      .addOption(new Option('--status <status>').choices(['ACTIVE', 'SUSPENDED', 'CLOSED']).default('ACTIVE'))
      .addOption(
        new Option(
          '--when-not-authenticated <what>',
          'a buyer whom 3-D Secure does not authenticate; left out: as it is, and ACCEPT for a new one',
        ).choices(['DECLINE', 'ACCEPT']),
      );
  const bodyOf = ({ name, methods, route, min, max, fee, session, status, whenNotAuthenticated }: Point) => ({
    name,
    paymentMethods: methods,
    routeId: route,
    minAmount: min,
    maxAmount: max,
    feeBasisPoints: fee,
    sessionMinutes: session,
    status,
    ...(whenNotAuthenticated === undefined ? {} : { whenNotAuthenticated }),
  });
  points
    .command('get <paymentPointID>')
    .description('how it is set')
    .action((id: string, _options: unknown, command: Command) =>
      call(command, 'payments', `GET ${named('payment-points', id)}`),
    );
  withSettings(points.command('create <storeID> <paymentPointID>').description('a new one in a store')).action(
    (storeID: string, paymentPointID: string, point: Point, command: Command) =>
      call(command, 'payments', `POST ${named('stores', storeID)}/payment-points`, {
        paymentPointID,
        ...bodyOf(point),
      }),
  );
  withSettings(points.command('change <paymentPointID>').description('all of its settings, for new payments'))
    .requiredOption('--revision <number>', 'the one that you saw', Number)
    .action((id: string, { revision, ...point }: Point & { revision: number }, command: Command) =>
      call(command, 'payments', `PUT ${named('payment-points', id)}`, { revision, ...bodyOf(point) }),
    );
  addHeldBackCommands(points);
  points
    .command('routes <paymentPointID> <method>')
    .description('the routes of a method in the order they are tried; with --set, these and no others')
    .option('--set <routes...>', 'routeId, or routeId:min:max with two decimals; none: the point’s own route')
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
    .description(
      'the velocity rules, and where they kept cards from the bank in the last day, worst first: card testing, or it looks like it',
    )
    .action((_options: unknown, command: Command) => call(command, 'payments', 'GET held-back-cards'));
  points
    .command('let-through <paymentPointID>')
    .description('cards that a velocity rule counted against its buyers count no more; on record')
    .addArgument(new Argument('<rule>').choices(['address', 'bin', 'point']))
    .requiredOption('--reason <text>', 'why this is no card testing; up to 140 characters')
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
  const routes = operator.command('routes').description('the ways to banks (payments)');
  routes
    .command('list')
    .description('all of them, with state and limits')
    .action((_options: unknown, command: Command) => call(command, 'payments', 'GET routes'));
  routes
    .command('create <routeId> <connector>')
    .description('a new one, of a connector that this system has')
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
    .description('which amounts it takes')
    .requiredOption('--min <rubles>')
    .requiredOption('--max <rubles>')
    .action((id: string, { min, max }: { min: string; max: string }, command: Command) =>
      call(command, 'payments', `PUT ${named('routes', id)}/limits`, { minAmount: min, maxAmount: max }),
    );
  for (const [verb, meaning] of [
    ['suspend', 'new payments leave it out; those that run are finished'],
    ['resume', 'new payments take it again'],
  ] as const) {
    routes
      .command(`${verb} <routeId>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) =>
        call(command, 'payments', `POST ${named('routes', id)}/${verb}`),
      );
  }
}
