// Express and PostgreSQL: the order is paid in the transaction that records the event.
import express from 'express';
import pg from 'pg';
import { callbackReceiver } from '@pay/sdk';
import { CALLBACK_EVENTS_SQL, postgresEventStore } from '@pay/sdk/postgres-event-store';

const { CALLBACK_KEY_ID = '', CALLBACK_SECRET = '', DATABASE_URL = '', PORT = '3000' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
// A shop has this in its migrations.
await pool.query(CALLBACK_EVENTS_SQL.replaceAll(/create (table|index)/g, 'create $1 if not exists'));

const receive = callbackReceiver({
  keys: [{ keyId: CALLBACK_KEY_ID, secret: CALLBACK_SECRET }], // two during a rotation
  store: postgresEventStore<pg.PoolClient>(pool),
  onEvent: async (event, transaction) => {
    if (event.type !== 'payment.completed') return; // a newer service may send events that this version does not know
    const { merchantOrderId: number, amount, currency } = event.data;
    const update = 'update orders set paid = true where number = $1 and amount = $2 and currency = $3';
    const { rowCount } = await transaction.query(update, [number, amount, currency]);
    // 500: it comes again, until somebody has looked.
    if (rowCount !== 1) throw new Error(`STOP: no order has this number, amount and currency: ${number}`);
  },
  onRefused: ({ status, message }) => {
    console.error('refused', status, message);
  },
});

const app = express();
app.post('/callbacks', (req, res) => void receive(req, res)); // before express.json(): the signature covers the raw bytes
app.listen(Number(PORT));
