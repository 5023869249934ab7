import { createHmac, hkdfSync, randomUUIDv7 } from 'node:crypto';
import { Counter } from 'prom-client';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import {
  countCardAttempts,
  forgetCardAttempt,
  holdBackCardAttempt,
  insertCardAttempt,
  isCardAttemptOpen,
  type CardAttempt,
} from '../../db/checkout/card-attempts.ts';
import { findCardEntry } from '../../db/checkout/card-entry.ts';
import type { PaymentAt } from '../../db/payment/payments.ts';
import type { CheckoutDeps } from '../../deps.ts';
import { brokenRule, VELOCITY_WINDOW_SECONDS } from '../../domain/checkout/velocity.ts';
import { openTicket } from './card-ticket.ts';
import { payByCard, type PayByCard, type PayByCardOutcome } from './pay-by-card.ts';

/** `source`: the key by which the buyer's address is counted. `ticket`: from `prepareCard`. */
export type SendCard = Omit<PayByCard, 'prepared'> & {
  readonly checkoutToken: string;
  readonly source: string;
  readonly ticket?: string;
};

/** held-back: too many unpaid cards share an attribute with this one; it was not sent to the bank. */
export type SendCardOutcome = PayByCardOutcome | 'held-back';

/** After how many seconds a buyer who was held back may try again. */
export const HELD_BACK_SECONDS = VELOCITY_WINDOW_SECONDS;

const attempts = new Counter({
  name: 'card_attempts_total',
  help: 'Cards that buyers sent: admitted to the bank, or held back by a velocity rule (address, bin, point).',
  labelNames: ['result'],
  registers: [registry],
});

const DAY_MS = 86_400_000;
const BIN_DIGITS = 8;

/**
 * Sends a buyer's card to the bank unless it looks like card testing: stolen numbers tried one after another, one payment each
 * (spec/findings#m8). Cards are counted in the database, across replicas. If a card is held back, the payment stays as it was, and its
 * buyer may try another card or come back later (ADR 0107). A card that was counted when it was prepared is not
 * counted again.
 */
export async function sendCard(
  deps: CheckoutDeps,
  { checkoutToken, source, ticket, ...command }: SendCard,
): Promise<SendCardOutcome> {
  const found = await findCardEntry(deps.db, checkoutToken);
  if (found === undefined) return 'not-payable';
  const { paymentId } = found.payment;
  const { card } = command;
  const opened = ticket === undefined ? undefined : openTicket(deps, { paymentId, card, now: found.now }, ticket);
  const isCounted = opened !== undefined && (await isCardAttemptOpen(deps.db, opened.attemptId, paymentId));
  const attemptId = isCounted ? opened.attemptId : await admitCard(deps, found, { card, source });
  if (attemptId === undefined) return 'held-back';
  const prepared = opened?.prepared ?? undefined;
  const outcome = await payByCard(deps, found, { ...command, ...(prepared === undefined ? {} : { prepared }) });
  if (outcome !== 'accepted') await deps.db.transaction((tx) => forgetCardAttempt(tx, attemptId));
  return outcome;
}

/** Counts a card that is about to go to a bank; undefined if a rule holds it back. */
export async function admitCard(
  deps: CheckoutDeps,
  { payment: { paymentId, paymentPointId }, now }: PaymentAt,
  { card, source }: Pick<SendCard, 'card' | 'source'>,
): Promise<string | undefined> {
  const hash = dailyHash(deps.encryptionKeys.current.key, now);
  const attempt: CardAttempt = {
    attemptId: randomUUIDv7(),
    paymentId,
    paymentPointId,
    addressHashes: hash(`address ${source}`),
    binHashes: hash(`bin ${card.number.slice(0, BIN_DIGITS)}`),
  };
  await insertCardAttempt(deps.db, attempt);
  const rule = brokenRule(await countCardAttempts(deps.db, attempt), deps.velocity);
  attempts.inc({ result: rule ?? 'admitted' });
  if (rule === undefined) return attempt.attemptId;
  await deps.db.transaction((tx) => holdBackCardAttempt(tx, attempt.attemptId, rule));
  deps.log.warn('a card was held back: too many similar cards were not paid', { rule, paymentId, paymentPointId });
  return undefined;
}

/** Hashes with today's key and with yesterday's. Both derive from a key that is never in the database, so its rows reveal nothing. */
function dailyHash(encryptionKey: Buffer, now: Date): (text: string) => readonly [string, string] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const keyOf = (day: number) =>
    Buffer.from(hkdfSync('sha256', encryptionKey, Buffer.alloc(0), `card attempts ${String(day)}`, 32));
  const [key, previous] = [keyOf(today), keyOf(today - 1)];
  const digest = (by: Buffer, text: string) => createHmac('sha256', by).update(text).digest('base64url');
  return (text) => [digest(key, text), digest(previous, text)];
}
