import { readFileSync } from 'node:fs';
import { callbackReceiver, type CallbackKey, type EventStore, type PartnerEvent } from '@pay/sdk';
import type { Database, Tx } from './database.ts';
import { findOrderOf, recordOutcome, STOP } from './orders.ts';
import { recordRefund } from './refunds.ts';
import type { Shop } from './shop.ts';
import { endSubscription, startSubscription } from './subscriptions.ts';

/**
 * The receiver: verifies the raw bytes, and answers 200 once the event is stored and applied, also to a repeat and to
 * an older one; 401 to what is not authentic; 500 if it could not be applied, so that it is sent again.
 */
export function createReceiver({ config, db, log }: Shop) {
  return callbackReceiver<Tx>({
    // Read for each callback: during a rotation a second secret appears in the file, without a restart.
    keys: () => readKeys(config.callbackSecretFile),
    store: sqliteEventStore(db),
    onEvent: (event, tx) => {
      const effect = applyEvent(tx, event);
      // Answered 200 all the same: another delivery would find the same.
      if (effect.startsWith(STOP)) log(effect);
      const row = [event.type, effect, JSON.stringify(event), event.eventId];
      tx.run('update callback_events set type = ?, effect = ?, body = ? where event_id = ?', ...row);
      return Promise.resolve();
    },
    onRefused: ({ status, message }) => {
      log(`callback answered ${String(status)}: ${message}`);
    },
  });
}

/** The file holds the answer of `POST /api/integration/callback-secret`, or a list of two during a rotation. */
function readKeys(file: string): CallbackKey[] {
  const content = JSON.parse(readFileSync(file, 'utf8')) as CallbackKey | CallbackKey[];
  return [content].flat();
}

/** Stores the event's id and applies it in one transaction: both, or neither. Exported, because it is worth a test. */
export function sqliteEventStore(db: Database): EventStore<Tx> {
  return {
    receive: ({ eventId, aggregateId, aggregateVersion }, apply) =>
      db.transaction(async (tx) => {
        const newest = tx.one<{ readonly version: number }>(
          'select coalesce(max(aggregate_version), 0) as version from callback_events where aggregate_id = ?',
          aggregateId,
        );
        const inserted = tx.run(
          `insert into callback_events (event_id, aggregate_id, aggregate_version, received_at) values (?, ?, ?, ?)
           on conflict do nothing`,
          ...[eventId, aggregateId, aggregateVersion, new Date().toISOString()],
        );
        if (inserted === 0) {
          tx.run('update callback_events set repeats = repeats + 1 where event_id = ?', eventId);
          return 'repeat';
        }
        if (aggregateVersion < (newest?.version ?? 0)) return 'older';
        await apply(tx);
        return 'applied';
      }),
  };
}

/** Changes what the event is about. Returns what it did, for the event log. */
function applyEvent(tx: Tx, event: PartnerEvent): string {
  switch (event.type) {
    case 'payment.completed':
    case 'payment.failed': {
      // In events, orderId is the payment's id, and merchantOrderId is our number (empty for QR payments).
      const { orderId: paymentId, merchantOrderId } = event.data;
      const order = findOrderOf(tx, paymentId, merchantOrderId);
      return order === undefined
        ? 'not an order of this shop'
        : recordOutcome(tx, order, { ...event.data, paymentId, number: merchantOrderId });
    }
    case 'refund.pending':
    case 'refund.completed':
    case 'refund.failed': {
      const order = findOrderOf(tx, event.data.orderId, event.data.merchantOrderId);
      return order === undefined ? 'not an order of this shop' : recordRefund(tx, order, event.data);
    }
    case 'binding.created':
      return startSubscription(tx, event.data.customerId, event.data.bindingId, event.data.nextChargeAt);
    case 'binding.revoked':
    case 'binding.expired':
      return endSubscription(tx, event.data.bindingId, event.type);
    default:
      return 'nothing to do'; // Also for types that are newer than this shop.
  }
}
