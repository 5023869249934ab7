import { randomBytes } from 'node:crypto';
import { FACTS } from '@pay/contract/facts.ts';
import { factVerifier } from '@pay/shared/broker/fact-signature.ts';
import { addHandedOverRoute, createHandOver, type HandOver } from '@pay/shared/facts/hand-over.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { listen } from '@pay/shared/http/server.ts';
import type { Log } from '@pay/shared/logging/logger.ts';

export type TestNotifier = {
  /** What the service is given to reach it. */
  readonly client: HandOver;
  /** The messages it was told. */
  readonly told: { readonly messageId: string; readonly body: unknown }[];
  /** While set, every call is answered so, as by a replica that is ending (503) or one of the version before (401). */
  answer: number | undefined;
  /** Called with each message before it is answered. */
  onTold: () => Promise<void>;
  close(): Promise<void>;
};

/** The notifier for tests, played by a real HTTP server: it verifies facts and keeps them. */
export async function startTestNotifier(log: Log): Promise<TestNotifier> {
  const key = { id: 'k1', key: randomBytes(32) };
  const verify = factVerifier(FACTS, 'notifier', new Map([['payments', new Map([[key.id, key.key]])]]));
  const app = createApp({
    listener: 'api',
    log,
    requestIdFrom: 'caller',
    routes: (routes) => {
      routes.use((_req, res, next) => {
        if (played.answer === undefined) next();
        else res.status(played.answer).json({});
      });
      addHandedOverRoute(routes, {
        verify,
        handlers: {
          'integration.endpoints_updated': async ({ messageId, body }) => {
            played.told.push({ messageId, body });
            await played.onTold();
          },
        },
      });
    },
  });
  const listener = await listen(app, '127.0.0.1', 0);
  const urls = [`http://127.0.0.1:${String(listener.port)}`];
  const client = createHandOver({ producer: 'payments', consumer: 'notifier', urls, key, log });
  const played: TestNotifier = {
    client,
    told: [],
    answer: undefined,
    onTold: () => Promise.resolve(),
    close: async () => {
      await client.close();
      await listener.drain(0);
    },
  };
  return played;
}
