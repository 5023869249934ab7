import type { Express } from 'express';
import type { RequestListener } from 'node:http';
import type { z } from 'zod';
import { checkFactKeys } from '../broker/fact-keys.ts';
import { maskedConfig, readConfig } from '../config/config.ts';
import type { Db } from '../postgres/db.ts';
import { openDatabase, type Database } from '../postgres/connect/pool.ts';
import { demandMigrated } from '../postgres/demand-migrated.ts';
import { createPing } from '../postgres/ping.ts';
import { demandSessions, directUrlOf } from '../postgres/connect/sessions.ts';
import { sweepLoop } from './sweep.ts';
import { listen, type Listener } from '../http/server.ts';
import type { TrustedProxies } from '../net/client-address.ts';
import { createLog, type Log } from '../logging/logger.ts';
import { startTelemetry } from '../telemetry/start.ts';
import { demandRealClock } from '../postgres/real-clock.ts';
import type { HeadsConfig } from '../seals/heads.ts';
import { sealLoop } from '../seals/seal-loop.ts';
import type { SealedSchema } from '../seals/sealed-tables.ts';
import { startLoop, type Loop, type RunningLoop } from '../time/loop.ts';
import { createPrivateApp } from './private-app.ts';
import { demandHardened, DRAIN_MS, endLoudly, endOnWrongConfig, onceStopped } from './process-life.ts';
import { NO_BROKER, startBroker, type BrokerPart, type StartedBroker } from './start-broker.ts';
import type { Consumer } from '../broker/consume.ts';

/** The part that every service's configuration has. */
type BaseConfig = {
  readonly ENVIRONMENT: 'TEST' | 'LIVE';
  readonly HOST: string;
  readonly PORT: number;
  readonly PRIVATE_HOST: string;
  readonly PRIVATE_PORT: number;
  /** For programs that are reached from outside. */
  readonly TRUSTED_PROXIES?: TrustedProxies;
  readonly DATABASE_URL: string;
  readonly DATABASE_DIRECT_URL?: string;
  readonly LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error';
} & HeadsConfig;

/** What a service passes to its process: everything that runs until SIGTERM. */
export type Parts = {
  /** Serves `PORT`: an Express application, or a plain handler if every microsecond counts. */
  readonly app: RequestListener;
  /** Further public listeners, such as the one for banks' notifications. */
  readonly listeners?: readonly { readonly name: string; readonly app: Express; readonly port: number }[];
  readonly operatorApp?: Express;
  /** What the partner portal asks for, on the private port. See decisions/portal-sessions. */
  readonly portalApp?: Express;
  readonly loops?: readonly Loop[];
  readonly broker?: BrokerPart;
  /** What is wrong with the service's own work although it answers, one sentence each. */
  readonly degraded?: () => readonly string[];
  /** Ends what the service started itself, after requests, loops and messages, before the database closes. */
  readonly close?: () => Promise<void> | void;
};

type Definition<T extends z.ZodObject> = {
  readonly name: string;
  readonly schema: T;
  /** `…/migrations/` of the service; its code needs the newest one. */
  readonly migrations?: URL;
  readonly build: (context: { config: Readonly<z.output<T>>; log: Log; db: Db; database: Database }) => Parts | Promise<Parts>;
  /**
   * Whether the schema has the tables `inbox` and `idempotency_records`, which are swept; with `dead_letters` if it
   * consumes.
   */
  readonly swept?: boolean;
  /** The schema, if it has sealed tables and the table `seals`. */
  readonly sealed?: SealedSchema;
};

const PRIVATE_DRAIN_MS = 500;
/**
 * The whole life of a service's process: configuration, listeners, relay, consumer, loops, health, and a shutdown on
 * SIGTERM or SIGINT that drops no request. A wrong configuration ends it with one message; an unexpected error ends it
 * loudly, because a process in an unknown state must not touch money.
 */
export async function runService<T extends z.ZodObject>(definition: Definition<T>): Promise<void> {
  await endOnWrongConfig(definition.name, () => start(definition));
}

async function start<T extends z.ZodObject>(definition: Definition<T>): Promise<void> {
  const config = readConfig(definition.schema, process.env);
  const base = baseOf(config);
  if (base.ENVIRONMENT === 'LIVE') demandHardened();
  const log = createLog(definition.name, base.LOG_LEVEL);
  endLoudly(log);
  log.info('starting', { config: JSON.stringify(maskedConfig(definition.schema, config)) });
  const telemetry = await startTelemetry(definition.name, process.env);

  const database = await openOwnDatabase(definition, base, log);
  const parts = await definition.build({ config, log, db: database.db, database });
  if (parts.broker !== undefined) checkFactKeys(definition.name, parts.broker);
  const running: Running = { listeners: [], loops: [], broker: NO_BROKER, draining: false };
  onceStopped(log, async () => {
    running.draining = true;
    await stop(running);
    await parts.close?.();
    await running.privateListener?.drain(PRIVATE_DRAIN_MS);
    await database.close();
    await telemetry.stop();
  });

  const ping = createPing(database.pool);
  const notReady = async () => [
    ...(running.draining ? ['draining'] : []),
    ...((await ping.isAnswered()) ? [] : ['database']),
    ...missingOf(running.broker.consumer),
  ];
  const privateApp = createPrivateApp({
    operatorApp: parts.operatorApp,
    portalApp: parts.portalApp,
    notReady,
    degraded: () => [...ping.problems(), ...running.broker.problems(), ...(parts.degraded?.() ?? [])],
  });
  running.privateListener = await listen(privateApp, base.PRIVATE_HOST, base.PRIVATE_PORT);
  log.info('listening', { listener: 'private', port: running.privateListener.port });
  if (parts.broker !== undefined) {
    const context = { service: definition.name, databaseUrl: directUrlOf(base), db: database.db, log };
    running.broker = await startBroker(parts.broker, context);
  }
  const loops = [
    ...(parts.loops ?? []),
    ...running.broker.loops,
    ...(definition.swept === true ? [sweepLoop(database.db, parts.broker?.handlers !== undefined)] : []),
    ...(definition.sealed === undefined ? [] : [sealLoop(database.db, log, definition.sealed, base)]),
  ];
  for (const loop of loops) running.loops.push(startLoop(loop, log));
  for (const { name, app, port } of [{ name: 'api', app: parts.app, port: base.PORT }, ...(parts.listeners ?? [])]) {
    const listener = await listen(app, base.HOST, port, {
      proxies: base.TRUSTED_PROXIES,
      onUnreadable: (unreadable) => {
        log.info('unreadable request', { listener: name, ...unreadable });
      },
    });
    running.listeners.push(listener);
    log.info('listening', { listener: name, port: listener.port });
  }
}

/** The database, once it is usable: reachable as required, migrated, and in LIVE with a real clock. */
async function openOwnDatabase<T extends z.ZodObject>({ name, migrations }: Definition<T>, base: BaseConfig, log: Log): Promise<Database> {
  const onAway = (err: unknown) => {
    log.warn('the database does not answer, waiting to start', { err });
  };
  await demandSessions(base, onAway);
  const database = openDatabase({
    url: base.DATABASE_URL,
    viaPooler: base.DATABASE_DIRECT_URL !== undefined,
    applicationName: name,
    onIdleError: (err) => {
      log.warn('idle database connection lost', { err });
    },
  });
  if (migrations !== undefined) await demandMigrated(database.db, migrations, onAway);
  if (base.ENVIRONMENT === 'LIVE') await demandRealClock(database.db, onAway);
  return database;
}

/** What a process has started so far, in the order in which it is stopped. */
type Running = {
  draining: boolean;
  readonly listeners: Listener[];
  readonly loops: RunningLoop[];
  broker: StartedBroker;
  privateListener?: Listener;
};

/** Requests first, because they may still write to the outbox; then loops and messages; the relay last. */
async function stop({ listeners, loops, broker }: Running): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.drain(DRAIN_MS)));
  await Promise.all([...loops.map((loop) => loop.stop()), broker.consumer?.drain()]);
  await broker.relay?.stop();
  await broker.consumer?.close();
  await broker.close();
}

/** A consumer that is connected but not bound receives nothing either. */
function missingOf(consumer: Consumer | undefined): readonly string[] {
  if (consumer === undefined) return [];
  const { isConnected, isBound } = consumer;
  if (!isConnected) return ['broker'];
  return isBound ? [] : ['topology'];
}

/** The configuration's common part, checked rather than assumed. */
function baseOf(config: unknown): BaseConfig {
  if (!hasBase(config)) throw new Error('the configuration schema lacks the common part (serviceConfig)');
  return config;
}

function hasBase(config: unknown): config is BaseConfig {
  return (
    typeof config === 'object' &&
    config !== null &&
    'ENVIRONMENT' in config &&
    'PORT' in config &&
    'DATABASE_URL' in config &&
    'LOG_LEVEL' in config
  );
}
