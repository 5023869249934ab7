import { createApp } from './app.ts';
import { askAgain, readWaiting } from './ask-again.ts';
import { connect } from './client.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database.ts';
import { renewDue } from './renewals.ts';
import type { Shop } from './shop.ts';

const RUN_EVERY_MS = 30_000;
const READ_EVERY_MS = 3_600_000;

const config = readConfig(process.env);
const shop: Shop = {
  config,
  db: openDatabase(config.databaseFile),
  client: connect(config),
  log: (line) => {
    console.log(`${new Date().toISOString()} ${line}`);
  },
};

/** What is left over first, then what is due. Each run starts after the one before has ended. */
let run = Promise.resolve();
function enqueue(job: () => Promise<void>): void {
  run = run.then(job).catch((error: unknown) => {
    shop.log(`the run failed, the next one tries again: ${String(error)}`);
  });
}
function work(): void {
  enqueue(() => askAgain(shop).then(() => renewDue(shop)));
}
function reconcile(): void {
  enqueue(() => readWaiting(shop));
}

const server = createApp(shop).listen(config.port, config.host, () => {
  shop.log(`the shop is open: ${config.shopUrl}`);
  reconcile();
  work();
});
const timers = [setInterval(work, RUN_EVERY_MS), setInterval(reconcile, READ_EVERY_MS)];

process.on('SIGTERM', () => {
  timers.forEach(clearInterval);
  server.close(() => {
    void run.then(() => {
      shop.client.close();
      shop.db.close();
      process.exit(0);
    });
  });
  server.closeIdleConnections();
});
