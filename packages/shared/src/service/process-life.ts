import { ConfigError } from '../config/config.ts';
import type { Log } from '../logging/logger.ts';
import { exposures } from './hardening.ts';

/** How long running requests may take after SIGTERM. */
export const DRAIN_MS = 8_000;
/** For the whole shutdown: process managers kill after ten seconds. */
export const STOP_MS = 9_500;

/** Ends the process with one message if its configuration is wrong. */
export async function endOnWrongConfig(name: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    // What the service has already started would keep the process running.
    process.exit(1);
  }
}

/** @throws ConfigError if the memory of this process could be read from outside */
export function demandHardened(): void {
  const found = exposures(process.env, process.execArgv);
  if (found.length === 0) return;
  throw new ConfigError(`LIVE is started by tools/hardened.sh:\n${found.map((one) => `  ${one}`).join('\n')}`);
}

/** Ends the process on an unexpected error: the next one starts from what is committed. */
export function endLoudly(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.error('uncaught error, ending the process', { err });
    process.exit(1);
  });
  process.on('unhandledRejection', (err) => {
    log.error('unhandled rejection, ending the process', { err });
    process.exit(1);
  });
}

/** Runs `drain` on the first SIGTERM or SIGINT, and ends the process: status 0 after a drain, 1 if it got stuck. */
export function onceStopped(log: Log, drain: () => Promise<void>): void {
  const onSignal = (signal: string) => {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    // Further signals are ignored: a shutdown requested twice is still one shutdown.
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => undefined);
    log.info('draining', { signal });
    setTimeout(() => {
      // Whatever hangs is safe to abandon: everything that matters is in the database, and nothing is half done there.
      log.error('shutdown took too long, ending the process');
      process.exit(1);
    }, STOP_MS).unref();
    drain().then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (err: unknown) => {
        log.error('shutdown failed', { err });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}
