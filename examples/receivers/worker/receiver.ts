// Cloudflare Workers and D1. No Node: the same on every runtime with Request, Response and WebCrypto.
import type { EventStore } from '@pay/sdk/event-store';
import { callbackRoute } from '@pay/sdk/web';

type Statement = { bind(...values: unknown[]): Statement; first<Row>(): Promise<Row | null> };
type Database = { prepare(sql: string): Statement; batch(statements: Statement[]): Promise<unknown> };
type Env = { readonly DB: Database; readonly CALLBACK_KEY_ID: string; readonly CALLBACK_SECRET: string };

/** `callback_events`: event_id (primary key), aggregate_id, version. D1 keeps no transaction open: one batch sends all. */
const d1EventStore = (db: Database): EventStore<Statement[]> => ({
  async receive({ eventId, aggregateId, aggregateVersion }, apply) {
    const known = await db
      .prepare('select max(event_id = ?) as repeat, max(version) as newest from callback_events where aggregate_id = ?')
      .bind(eventId, aggregateId)
      .first<{ repeat: number | null; newest: number | null }>();
    if (known?.repeat === 1) return 'repeat';
    const isOlder = aggregateVersion < (known?.newest ?? 0);
    const insert = db.prepare('insert into callback_events (event_id, aggregate_id, version) values (?, ?, ?)');
    const statements = [insert.bind(eventId, aggregateId, aggregateVersion)];
    if (!isOlder) await apply(statements);
    await db.batch(statements); // a repeat meanwhile fails here: 500, and the event comes again
    return isOlder ? 'older' : 'applied';
  },
});

export default {
  fetch: (request: Request, { DB, CALLBACK_KEY_ID, CALLBACK_SECRET }: Env): Promise<Response> =>
    callbackRoute<Statement[]>({
      keys: [{ keyId: CALLBACK_KEY_ID, secret: CALLBACK_SECRET }], // two during a rotation
      store: d1EventStore(DB),
      onEvent: async ({ type, data }, statements) => {
        if (type !== 'payment.completed') return;
        const sold = DB.prepare('select 1 from orders where number = ? and amount = ? and currency = ?');
        const order = await sold.bind(data.merchantOrderId, data.amount, data.currency).first();
        if (order === null) throw new Error('STOP: not as sold'); // 500: it comes again, until somebody has looked
        statements.push(DB.prepare('update orders set paid = 1 where number = ?').bind(data.merchantOrderId));
      },
    })(request),
};
