import type { RetryAdvice } from '@pay/sdk';
import type { Reader, Tx } from './database.ts';

/**
 * ACTIVE: charged each month. PAUSED: the card is not accepted any more, the buyer has to give another. ENDED: nothing may be charged.
 * A late answer to a charge changes neither of the last two: only a new card does.
 */
export type SubscriptionStatus = 'ACTIVE' | 'PAUSED' | 'ENDED';

/** A row of `subscriptions`: one for a buyer. `next_charge_at` is null while we have to ask the service for it. */
export type Subscription = {
  readonly customer: string;
  readonly binding_id: string;
  readonly status: SubscriptionStatus;
  readonly next_charge_at: string | null;
  readonly note: string | null;
};

const DAY_MS = 86_400_000;

export const findSubscription = (db: Reader, customer: string): Subscription | undefined =>
  db.one<Subscription>('select * from subscriptions where customer = ?', customer);

/** The buyer agreed, and paid: the card is saved. A new card takes the place of the one before. */
export function startSubscription(tx: Tx, customer: string, bindingId: string, nextChargeAt: string): string {
  const isOurs = tx.one('select 1 from orders where customer = ? and saves_card = 1', customer) !== undefined;
  if (!isOurs) return 'not a buyer of this shop';
  tx.run(
    `insert into subscriptions (customer, binding_id, status, next_charge_at) values (?, ?, 'ACTIVE', ?)
     on conflict (customer) do update set binding_id = excluded.binding_id, status = 'ACTIVE',
       next_charge_at = excluded.next_charge_at, note = null`,
    ...[customer, bindingId, nextChargeAt],
  );
  return 'subscription is ACTIVE';
}

/** Nothing may be charged any more: the buyer or we revoked the consent, or the card is too old. */
export function endSubscription(tx: Tx, bindingId: string, note: string): string {
  const changed = tx.run(
    "update subscriptions set status = 'ENDED', note = ? where binding_id = ? and status <> 'ENDED'",
    ...[note, bindingId],
  );
  return changed === 0 ? 'no subscription of this shop, or ended before' : 'subscription ENDED';
}

export function pauseSubscription(tx: Tx, bindingId: string, note: string): void {
  const sql = "update subscriptions set status = 'PAUSED', note = ? where binding_id = ? and status = 'ACTIVE'";
  tx.run(sql, note, bindingId);
}

/** Charge not before this moment, by the clock of the service. */
export function postpone(tx: Tx, bindingId: string, moment: Date, note: string | null = null): void {
  const at = moment.toISOString();
  const sql = "update subscriptions set next_charge_at = ?, note = ? where binding_id = ? and status = 'ACTIVE'";
  tx.run(sql, at, note, bindingId);
}

/** A charge went through. When the next one may follow is the service's to say: the next run asks. */
export function afterRenewal(tx: Tx, bindingId: string): void {
  const sql = "update subscriptions set next_charge_at = null, note = null where binding_id = ? and status = 'ACTIVE'";
  tx.run(sql, bindingId);
}

/**
 * A charge was declined. Card schemes fine shops that try too often, so the advice decides: with DO_NOT_RETRY the card is
 * not tried again, else once a day.
 */
export function afterDecline(tx: Tx, bindingId: string, failure: string, advice: RetryAdvice | undefined): void {
  if (advice === 'DO_NOT_RETRY') pauseSubscription(tx, bindingId, `${failure}: another card is needed`);
  else postpone(tx, bindingId, new Date(Date.now() + DAY_MS), `${failure}: tried again tomorrow`);
}
