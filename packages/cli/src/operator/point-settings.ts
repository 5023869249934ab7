import { Option, type Command } from 'commander';
import { POINT_STATUSES } from '@pay/sdk/types.ts';
import { usage } from '../fault.ts';

/** The settings of a point as they are typed; what is not typed is undefined. */
export type TypedSettings = {
  name?: string;
  methods?: string[];
  route?: string;
  min?: string;
  max?: string;
  fee?: number;
  session?: number;
  status?: string;
  whenNotAuthenticated?: string;
  cardAttempts?: number;
  sbpOnCardPage?: 'on' | 'off';
};

/** What a new point is like unless its options say otherwise. */
const NEW = {
  min: '0.01',
  max: '1000000.00',
  fee: 0,
  session: 60,
  status: 'ACTIVE',
  whenNotAuthenticated: 'ACCEPT',
  cardAttempts: 1,
  sbpOnCardPage: 'off',
} as const satisfies TypedSettings;

const ON_OFF = ['on', 'off'] as const;

const options = () => [
  new Option('--name <text>'),
  new Option('--methods <methods...>', 'CARD, SBP_DYNAMIC_QR'),
  new Option('--route <routeId>', 'the acquiring route'),
  new Option('--min <rubles>', 'lowest amount, with two decimals'),
  new Option('--max <rubles>', 'highest amount, with two decimals'),
  new Option('--fee <basisPoints>', 'our fee in hundredths of a percent; a second person confirms it').argParser(Number),
  new Option('--session <minutes>', 'payment window').argParser(Number),
  new Option('--status <status>').choices(POINT_STATUSES),
  new Option(
    '--when-not-authenticated <what>',
    'what to do with buyers not authenticated by 3-D Secure; ACCEPT instead of DECLINE takes a second person',
  ).choices(['DECLINE', 'ACCEPT']),
  new Option('--card-attempts <number>', 'how many cards a buyer may try for one payment, 1 to 5').argParser(Number),
  new Option('--sbp-on-card-page <answer>', 'whether the buyer of a card payment may pay it by SBP instead').choices(ON_OFF),
];

/** The options that say what a new point is like. */
export function withNewSettings(command: Command): Command {
  const initial: Readonly<Record<string, unknown>> = NEW;
  for (const option of options()) {
    const known = initial[option.attributeName()];
    command.addOption(known === undefined ? option.makeOptionMandatory() : option.default(known));
  }
  return command;
}

/** The options that say what changes in a point. */
export function withChangedSettings(command: Command): Command {
  for (const option of options()) command.addOption(option);
  return command;
}

/** The settings that were typed, as members of a request. */
export function settingsOf({ methods, route, min, max, fee, session, sbpOnCardPage, ...rest }: TypedSettings) {
  const typed = {
    ...rest,
    paymentMethods: methods,
    routeId: route,
    minAmount: min,
    maxAmount: max,
    feeBasisPoints: fee,
    sessionMinutes: session,
    sbpOnCardPage: isOn(sbpOnCardPage),
  };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
}

const isOn = (answer: 'on' | 'off' | undefined) => (answer === undefined ? undefined : answer === 'on');

/** What of a point is no setting: a request to change it names none of these. */
const FIXED = new Set(['paymentPointId', 'storeId', 'partnerId', 'revision', 'createdAt']);

/**
 * The whole new settings of a point: as it is, but for what was typed. The revision is the one that the operator saw: if the point
 * has changed since, the request is refused. @throws CliFault if nothing was typed
 */
export function changedSettings(
  point: unknown,
  { revision, ...typed }: TypedSettings & { readonly revision: number },
): Readonly<Record<string, unknown>> {
  const changes = settingsOf(typed);
  if (Object.keys(changes).length === 0) throw usage('nothing to change: name at least one setting, such as --max 5000.00');
  const known = typeof point === 'object' && point !== null ? { ...point } : {};
  const kept = Object.entries<unknown>(known).filter(([name]) => !FIXED.has(name));
  return { revision, ...Object.fromEntries(kept), ...changes };
}
