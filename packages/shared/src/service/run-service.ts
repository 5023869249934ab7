import { sql } from 'drizzle-orm';
import type { Express } from 'express';
import type { RequestListener } from 'node:http';
import type { z } from 'zod';
import { startConsumer, type Consumer, type Handle } from '../broker/consume.ts';
import { ConfigError, maskedConfig, readConfig } from '../config/config.ts';
import { openDatabase, type Database, type Db } from '../database/database.ts';
import { sweepLoop } from '../database/sweep.ts';
import { listen, type Listener } from '../http/server.ts';
import { createLog, type Log } from '../logging/logger.ts';
import { startRelay, type Relay } from '../outbox/relay.ts';
import { startLoop, type Loop, type RunningLoop } from './loop.ts';
import { createPrivateApp } from './private-app.ts';

/** What every service's configuration has. */
type BaseConfig = {
  readonly HOST: string;
  readonly PORT: number;
  readonly PRIVATE_PORT: number;
  readonly DATABASE_URL: string;
  readonly LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error';
};

/** What a service hands to its process: everything that runs until SIGTERM. */
export type Parts = {
  /** Serves `PORT`: an express application, or a plain handler where every microsecond counts. */
  readonly app: RequestListener;
  /** Further public listeners, such as the hosted form. */
  readonly listeners?: readonly { readonly name: string; readonly app: Express; readonly port: number }[];
  readonly operatorApp?: Express;
  readonly loops?: readonly Loop[];
  /** With a broker: the outbox is relayed and the messages named here are consumed. */
  readonly broker?: { readonly url: string; readonly handlers?: Readonly<Record<string, Handle>> };
  /** Tables of this service that are swept beside inbox and idempotency records. */
  readonly close?: () => Promise<void> | void;
};

type Definition<T extends z.ZodObject> = {
  readonly name: string;
  readonly schema: T;
  readonly build: (context: { config: Readonly<z.output<T>>; log: Log; db: Db; database: Database }) => Parts | Promise<Parts>;
  /** Whether the schema has the tables `inbox` and `idempotency_records`, which are swept. */
  readonly swept?: boolean;
};

/** How long running requests may take to end after SIGTERM. Reliability case J17: drains within ten seconds. */
const DRAIN_MS = 8_000;
/** A database that does not answer a ping in this time is not ready. */
const PING_MS = 2_000;

/**
 * The whole life of a service's process: configuration, listeners, relay, consumer, loops, health, and a stop on
 * SIGTERM or SIGINT that drops no request. A wrong configuration ends it with one message; anything unexpected ends it
 * loudly, because a process in an unknown state must not touch money.
 */
export async function runService<T extends z.ZodObject>(definition: Definition<T>): Promise<void> {
  try {
    await start(definition);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${definition.name}: ${error.message}\n`);
    process.exitCode = 1;
  }
}

async function start<T extends z.ZodObject>(definition: Definition<T>): Promise<void> {
  const config = readConfig(definition.schema, process.env);
  const base = baseOf(config);
  const log = createLog(definition.name, base.LOG_LEVEL);
  process.on('uncaughtException', (err) => {
    log.error('uncaught error, the process ends', { err });
    process.exit(1);
  });
  process.on('unhandledRejection', (err) => {
    log.error('unhandled rejection, the process ends', { err });
    process.exit(1);
  });
  log.info('starting', { config: JSON.stringify(maskedConfig(definition.schema, config)) });

  const database = openDatabase({
    url: base.DATABASE_URL,
    applicationName: definition.name,
    onIdleError: (err) => {
      log.warn('idle database connection lost', { err });
    },
  });
  const parts = await definition.build({ config, log, db: database.db, database });

  let started = false;
  let draining = false;
  let relay: Relay | undefined;
  let consumer: Consumer | undefined;
  const privateListener = await listen(
    createPrivateApp({
      operatorApp: parts.operatorApp,
      notReady: async () => [
        ...(started ? [] : ['starting']),
        ...(draining ? ['draining'] : []),
        ...((await answers(database)) ? [] : ['database']),
        ...(consumer === undefined || consumer.isConnected ? [] : ['broker']),
      ],
    }),
    base.HOST,
    base.PRIVATE_PORT,
  );
  log.info('listening', { listener: 'private', port: privateListener.port });
  if (parts.broker !== undefined) {
    const { url, handlers } = parts.broker;
    relay = await startRelay({ databaseUrl: base.DATABASE_URL, amqpUrl: url, service: definition.name, log });
    if (handlers !== undefined) consumer = await startConsumer({ url, service: definition.name, handlers, log });
  }
  const loops: RunningLoop[] = [
    ...(parts.loops ?? []),
    ...(definition.swept === true ? [sweepLoop(database.db)] : []),
  ].map((loop) => startLoop(loop, log));
  const listeners: Listener[] = [];
  for (const { name, app, port } of [{ name: 'api', app: parts.app, port: base.PORT }, ...(parts.listeners ?? [])]) {
    const listener = await listen(app, base.HOST, port);
    listeners.push(listener);
    log.info('listening', { listener: name, port: listener.port });
  }
  // Ready means: every listener takes requests, every queue is consumed.
  started = true;

  const stop = async (signal: string): Promise<void> => {
    if (draining) return;
    draining = true;
    log.info('draining', { signal });
    await Promise.all(listeners.map((listener) => listener.drain(DRAIN_MS)));
    await Promise.all([...loops.map((loop) => loop.stop()), consumer?.drain()]);
    await relay?.stop();
    await consumer?.close();
    await parts.close?.();
    await privateListener.drain(1_000);
    await database.close();
    log.info('stopped');
    process.exit(0);
  };
  const onSignal = (signal: string) => {
    stop(signal).catch((err: unknown) => {
      log.error('stop failed', { err });
      process.exit(1);
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** The configuration's common part, checked rather than assumed. */
function baseOf(config: unknown): BaseConfig {
  if (!hasBase(config)) throw new Error('the configuration schema lacks the common part (serviceConfig)');
  return config;
}

function hasBase(config: unknown): config is BaseConfig {
  return (
    typeof config === 'object' && config !== null && 'PORT' in config && 'DATABASE_URL' in config && 'LOG_LEVEL' in config
  );
}

async function answers(database: Database): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => {
    setTimeout(() => {
      resolve(false);
    }, PING_MS).unref();
  });
  const ping = database.db.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([ping, late]);
}
