import { z } from 'zod';
import { amqpUrl, serviceConfig } from '../src/config/config.ts';
import { createApp } from '../src/http/app.ts';
import { receiveOnce } from '../src/inbox/inbox.ts';
import { appendToOutbox } from '../src/outbox/outbox.ts';
import { runService } from '../src/service/run-service.ts';
import { signingKeysOf, verificationKeysOf } from './fact-keys.ts';
import { effects } from './mechanisms-tables.ts';

const FACTS = { 'thing.made': { owner: 'probe', consumers: ['probe'] } };

/** The smallest complete service: a route that writes to the outbox, and a consumer that records what arrived. */
await runService({
  name: 'probe',
  schema: z.object({ ...serviceConfig, AMQP_URL: amqpUrl }),
  swept: true,
  build: ({ config, db, log }) => ({
    app: createApp({
      listener: 'api',
      log,
      requestIdFrom: 'caller',
      routes: (app) => {
        app.post('/things/:name', async (req, res) => {
          const { name } = req.params;
          await db.transaction((tx) =>
            appendToOutbox(tx, { type: 'thing.made', aggregateId: name, occurredAt: new Date(0), payload: { name } }),
          );
          res.status(201).json({ name });
        });
        app.get('/fail', () => {
          setImmediate(() => {
            throw new Error('an unexpected failure');
          });
        });
      },
    }),
    broker: {
      url: config.AMQP_URL,
      facts: FACTS,
      signingKeys: signingKeysOf(FACTS, 'probe'),
      verificationKeys: verificationKeysOf(FACTS, 'probe'),
      handlers: {
        'thing.made': async ({ messageId, aggregateId }) => {
          await receiveOnce(db, messageId, async (tx) => {
            await tx.insert(effects).values({ name: aggregateId });
          });
        },
      },
    },
  }),
});
