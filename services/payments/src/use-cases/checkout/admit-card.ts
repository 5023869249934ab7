import { createHmac, hkdfSync, randomUUIDv7 } from 'node:crypto';
import { Counter } from 'prom-client';
import { VELOCITY_RULES } from '@pay/contract/operator/states.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import {
  countCardAttempts,
  forgetCardAttempt,
  holdBackCardAttempt,
  insertCardAttempt,
  isCardAttemptOpen,
  type CardAttempt,
} from '../../db/checkout/card-attempts.ts';
import { findCardEntry, type Admission, type CardEntry } from '../../db/checkout/card-entry.ts';
import type { PaymentAt } from '../../db/payment/payments.ts';
import type { CheckoutDeps } from '../../deps.ts';
import { brokenRule, VELOCITY_WINDOW_SECONDS } from '../../domain/checkout/velocity.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { openTicket } from './card-ticket.ts';
import { intendOptimistically } from './intend-card.ts';
import { payByCard, sendIntended, takingAcquirer, type PayByCard, type PayByCardOutcome } from './pay-by-card.ts';

/** `source`: the key by which the buyer's address is counted. `ticket`: from `prepareCard`. */
export type SendCard = Omit<PayByCard, 'prepared'> & {
  readonly checkoutToken: string;
  readonly source: string;
  /** How many cards of the payment were declined when the buyer opened the form: a form from before that sends nothing. */
  readonly declinedCount: number;
  readonly ticket?: string;
};

/** held-back: too many unpaid cards share an attribute with this one; it was not sent to the bank. */
export type SendCardOutcome = PayByCardOutcome | 'held-back';

/** After how many seconds a buyer who was held back may try again. */
export const HELD_BACK_SECONDS = VELOCITY_WINDOW_SECONDS;

const cardAttempts = new Counter({
  name: 'card_attempts_total',
  help: 'Cards that buyers sent: admitted to the bank, or held back by a velocity rule (address, bin, point).',
  labelNames: ['result'],
  registers: [registry],
});
// A rise is seen only from a first value.
for (const result of ['admitted', ...VELOCITY_RULES]) cardAttempts.inc({ result }, 0);

const DAY_MS = 86_400_000;
const BIN_DIGITS = 8;

/**
 * Sends a buyer's card to the bank unless it looks like card testing: stolen numbers tried one after another, one payment each
 * (spec/findings#m8). Cards are counted in the database, across replicas. If a card is held back, the payment stays as it was, and its
 * buyer may try another card or come back later (decisions/card-testing). A card that was counted when it was prepared
 * is not counted again.
 */
export async function sendCard(
  deps: CheckoutDeps,
  { checkoutToken, source, declinedCount, ticket, ...command }: SendCard,
): Promise<SendCardOutcome> {
  const found = await findCardEntry(deps.db, checkoutToken);
  if (found?.payment.declinedCount !== declinedCount) return 'not-payable';
  const operationId = operationOf(found.payment);
  const { card } = command;
  const opened = ticket === undefined ? undefined : openTicket(deps, { operationId, card, now: found.now }, ticket);
  const prepared = opened?.prepared ?? undefined;
  const sent = { ...command, ...(prepared === undefined ? {} : { prepared }) };
  const attempts = { fresh: attemptOf(deps, found, { card, source }), countedId: opened?.attemptId };
  return (await sendAtOnce(deps, found, attempts, sent)) ?? sendStepwise(deps, found, attempts, sent);
}

/** The attempt that counts this card, and the id of the one that counted it when it was prepared, if it was. */
type Attempts = { readonly fresh: CardAttempt; readonly countedId: string | undefined };

/**
 * The ordinary case: the card is counted and taken in one round trip (decisions/leases-and-fences). Undefined
 * otherwise: then nothing was sent.
 */
async function sendAtOnce(
  deps: CheckoutDeps,
  found: CardEntry,
  { fresh, countedId }: Attempts,
  command: PayByCard,
): Promise<SendCardOutcome | undefined> {
  const acquirer = takingAcquirer(deps, found);
  if (typeof acquirer === 'string') return undefined;
  const admission: Admission =
    countedId === undefined ? { kind: 'fresh', attempt: fresh, limits: deps.velocity } : { kind: 'counted', attemptId: countedId };
  const intended = await intendOptimistically(deps, found.payment, command.payerKey, admission);
  if (intended === undefined) return undefined;
  if (countedId === undefined) cardAttempts.inc({ result: 'admitted' });
  return forgetUnlessSent(deps, countedId ?? fresh.attemptId, await sendIntended(deps, acquirer, intended, command));
}

async function sendStepwise(
  deps: CheckoutDeps,
  found: CardEntry,
  { fresh, countedId }: Attempts,
  command: PayByCard,
): Promise<SendCardOutcome> {
  const isCounted = countedId !== undefined && (await isCardAttemptOpen(deps.db, countedId, fresh.paymentId));
  if (!isCounted && !(await admitCard(deps, fresh))) return 'held-back';
  const outcome = await payByCard(deps, found, command);
  // An attempt that was counted before may count a card that another call with this ticket has sent.
  return isCounted ? outcome : forgetUnlessSent(deps, fresh.attemptId, outcome);
}

async function forgetUnlessSent(deps: CheckoutDeps, attemptId: string, outcome: PayByCardOutcome): Promise<PayByCardOutcome> {
  if (outcome !== 'accepted') await deps.db.transaction((tx) => forgetCardAttempt(tx, attemptId));
  return outcome;
}

/** The attempt to send this card for a payment. */
export function attemptOf(
  deps: CheckoutDeps,
  { payment: { paymentId, paymentPointId }, now }: PaymentAt,
  { card, source }: Pick<SendCard, 'card' | 'source'>,
): CardAttempt {
  const hash = dailyHash(deps.encryptionKeys.current.key, now);
  return {
    attemptId: randomUUIDv7(),
    paymentId,
    paymentPointId,
    addressHashes: hash(`address ${source}`),
    binHashes: hash(`bin ${card.number.slice(0, BIN_DIGITS)}`),
  };
}

/** Counts a card that is about to go to a bank; false if a rule holds it back. */
export async function admitCard(deps: CheckoutDeps, attempt: CardAttempt): Promise<boolean> {
  const { attemptId, paymentId, paymentPointId } = attempt;
  await insertCardAttempt(deps.db, attempt);
  const rule = brokenRule(await countCardAttempts(deps.db, attempt), deps.velocity);
  cardAttempts.inc({ result: rule ?? 'admitted' });
  if (rule === undefined) return true;
  await deps.db.transaction((tx) => holdBackCardAttempt(tx, attemptId, rule));
  deps.log.warn('a card was held back: too many similar cards were not paid', { rule, paymentId, paymentPointId });
  return false;
}

/** Hashes with today's key and with yesterday's. Both derive from a key that is never in the database, so its rows reveal nothing. */
function dailyHash(encryptionKey: Buffer, now: Date): (text: string) => readonly [string, string] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const keyOf = (day: number) => Buffer.from(hkdfSync('sha256', encryptionKey, Buffer.alloc(0), `card attempts ${String(day)}`, 32));
  const [key, previous] = [keyOf(today), keyOf(today - 1)];
  const digest = (by: Buffer, text: string) => createHmac('sha256', by).update(text).digest('base64url');
  return (text) => [digest(key, text), digest(previous, text)];
}
