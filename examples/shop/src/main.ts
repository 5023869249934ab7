import { createApp } from './app.ts';
import { askAgain } from './ask-again.ts';
import { connect } from './client.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database.ts';
import { renewDue } from './renewals.ts';
import type { Shop } from './shop.ts';

const RUN_EVERY_MS = 30_000;

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
function work(): void {
  run = run
    .then(() => askAgain(shop))
    .then(() => renewDue(shop))
    .catch((error: unknown) => {
      shop.log(`the run failed, the next one tries again: ${String(error)}`);
    });
}

const server = createApp(shop).listen(config.port, config.host, () => {
  shop.log(`the shop is open: ${config.shopUrl}`);
  work();
});
const timer = setInterval(work, RUN_EVERY_MS);

process.on('SIGTERM', () => {
  clearInterval(timer);
  server.close(() => {
    void run.then(() => {
      shop.client.close();
      shop.db.close();
      process.exit(0);
    });
  });
  server.closeIdleConnections();
});
