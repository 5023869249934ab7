import { factVerifier } from '@pay/shared/broker/fact-signature.ts';
import { FACTS } from '@pay/contract/facts.ts';
import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { createOwners } from '@pay/shared/facts/owners.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { operatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { directUrlOf } from '@pay/shared/postgres/connect/sessions.ts';
import { partitionsLoop } from '@pay/shared/postgres/partitions.ts';
import { runService } from '@pay/shared/service/run-service.ts';
import { encryptionKeysOf } from '@pay/shared/encryption/encryption-config.ts';
import { createPause } from '@pay/shared/time/pause.ts';
import { Config } from './config.ts';
import { onBuyerErased } from './consumers/on-buyer-erased.ts';
import { onEndpointsUpdated } from './consumers/on-endpoints-updated.ts';
import { createOnPartnerEvent, partnerEventHandlers } from './consumers/on-partner-event.ts';
import { PARTNER_CONCURRENCY_MAX } from './db/claim-statement.ts';
import { DeliveryLoop } from './delivery/loop.ts';
import { createSender } from './delivery/send.ts';
import { createStored } from './delivery/stored.ts';
import { startWakes } from './delivery/wakes.ts';
import type { Deps } from './deps.ts';
import { createPartnerApp } from './http/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './http/operator/app.ts';
import { askForGaps } from './use-cases/ask-for-gaps.ts';
import { forgetErasedBuyersLoop } from './use-cases/forget-erased-buyers.ts';
import { freeLeasesLoop } from './use-cases/free-leases.ts';
import { replayLoop } from './use-cases/replay-events.ts';
import { eventLogSweepLoop } from './use-cases/sweep-event-log.ts';
import { watchGaps } from './use-cases/watch-gaps.ts';
import { watchWaiting } from './use-cases/watch-waiting.ts';

await runService({
  name: 'notifier',
  sealed: 'notifier',
  schema: Config,
  migrations: new URL('../migrations/', import.meta.url),
  swept: true,
  build: ({ config, log, db }) => {
    const encryptionKeys = encryptionKeysOf(config);
    const sender = createSender({ allowPrivate: config.CALLBACK_ALLOW_PRIVATE, ownHosts: config.OWN_HOSTS }, PARTNER_CONCURRENCY_MAX);
    const stored = createStored(() => {
      wakes.announceStored();
    });
    const wakes = startWakes({
      databaseUrl: directUrlOf(config),
      log,
      onAnnounced: () => {
        delivery.wakeForOther();
      },
      onStored: stored.elsewhere,
    });
    const delivery = new DeliveryLoop({
      db,
      log,
      encryptionKeys,
      sender,
      announce: wakes.announce,
      holder: wakes.holder,
    });
    const owners = createOwners({
      consumer: 'notifier',
      facts: FACTS,
      keys: config.FACT_VERIFICATION_KEYS,
      urls: { payments: config.PAYMENTS_URL, bindings: config.BINDINGS_URL, withdrawals: config.WITHDRAWALS_URL },
      log,
    });
    const gaps = watchGaps(db);
    const deps: Deps = { db, log, encryptionKeys, delivery, stored, replays: createPause() };
    const handlers = {
      'integration.endpoints_updated': (message: IncomingMessage) => onEndpointsUpdated(deps, message),
      'buyer.erased': (message: IncomingMessage) => onBuyerErased(deps, message),
      ...partnerEventHandlers(createOnPartnerEvent(deps)),
    };
    const tokens = pageTokens(config.INTERNAL_TOKEN_KEY, 'notifier', config.INTERNAL_TOKEN_KEY_PREVIOUS);
    const receiving = { ...deps, handlers, verify: factVerifier(FACTS, 'notifier', config.FACT_VERIFICATION_KEYS) };
    const operatorDeps = { ...receiving, owners, pageTokens: tokens };
    return {
      app: createPartnerApp(
        receiving,
        internalTokenVerifier('notifier', config.INTERNAL_TOKEN_KEY, config.INTERNAL_TOKEN_KEY_PREVIOUS),
        tokens,
      ),
      operatorApp: createOperatorApp(operatorDeps, operatorIdentityVerifier(OPERATOR_AUDIENCE, config.OPERATOR_IDENTITY_PUBLIC_KEYS)),
      loops: [
        freeLeasesLoop({ ...deps, own: wakes.number }),
        replayLoop(deps),
        eventLogSweepLoop(db),
        partitionsLoop(db, 'attempts'),
        forgetErasedBuyersLoop(db),
        gaps.loop,
        watchWaiting(db),
        askForGaps({ db, owners, log }),
      ],
      degraded: gaps.problems,
      broker: { url: config.AMQP_URL, facts: FACTS, verificationKeys: config.FACT_VERIFICATION_KEYS, handlers, owners },
      close: async () => {
        await delivery.stop();
        // The last: without its session this replica's leases are freed, and its attempts would be made again.
        await wakes.stop();
      },
    };
  },
});
