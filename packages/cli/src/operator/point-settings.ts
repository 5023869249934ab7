import { Option, type Command } from 'commander';
import { POINT_STATUSES } from '@pay/sdk/types.ts';

/** The settings of a point as they are typed. */
export type Point = {
  name: string;
  methods: string[];
  route: string;
  min: string;
  max: string;
  fee: number;
  session: number;
  status: string;
  whenNotAuthenticated?: string;
  cardAttempts?: number;
  sbpOnCardPage?: 'on' | 'off';
  emailConfirmation?: 'on' | 'off';
};

/** The options that say what a point is like. */
export function withSettings(command: Command): Command {
  return command
    .requiredOption('--name <text>')
    .requiredOption('--methods <methods...>', 'CARD, SBP_DYNAMIC_QR')
    .requiredOption('--route <routeId>', 'the acquiring route')
    .option('--min <rubles>', 'lowest amount, with two decimals', '0.01')
    .option('--max <rubles>', 'highest amount, with two decimals', '1000000.00')
    .option('--fee <basisPoints>', 'our fee in hundredths of a percent; a second person confirms it', Number, 0)
    .option('--session <minutes>', 'payment window', Number, 60)
    .addOption(new Option('--status <status>').choices(POINT_STATUSES).default('ACTIVE'))
    .addOption(
      new Option(
        '--when-not-authenticated <what>',
        'what to do with buyers not authenticated by 3-D Secure; default: unchanged, ACCEPT for a new point',
      ).choices(['DECLINE', 'ACCEPT']),
    )
    .option(
      '--card-attempts <number>',
      'how many cards a buyer may try for one payment, 1 to 5; default: unchanged, 1 for a new point',
      Number,
    )
    .addOption(
      new Option(
        '--sbp-on-card-page <answer>',
        'whether the buyer of a card payment may pay it by SBP instead; default: unchanged, off for a new point',
      ).choices(['on', 'off']),
    )
    .addOption(
      new Option(
        '--email-confirmation <answer>',
        'whether buyers who paid may ask for a confirmation by e-mail; default: unchanged, off for a new point',
      ).choices(['on', 'off']),
    );
}

/** The settings as the body of a request. */
export const bodyOf = ({
  name,
  methods,
  route,
  min,
  max,
  fee,
  session,
  status,
  sbpOnCardPage,
  emailConfirmation,
  ...optional
}: Point) => ({
  name,
  paymentMethods: methods,
  routeId: route,
  minAmount: min,
  maxAmount: max,
  feeBasisPoints: fee,
  sessionMinutes: session,
  status,
  // JSON leaves out what is undefined.
  ...optional,
  sbpOnCardPage: sbpOnCardPage === undefined ? undefined : sbpOnCardPage === 'on',
  emailConfirmation: emailConfirmation === undefined ? undefined : emailConfirmation === 'on',
});
