import { randomUUID } from 'node:crypto';
import { listen } from '@pay/shared/http/server.ts';
import { createTBankAcquirer } from '../src/acquirers/t-bank/t-bank-acquirer.ts';
import { createBankNotificationsApp } from '../src/http/bank/notifications.ts';
import { readBack } from '../src/use-cases/payment/read-back.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startTestTBank, type TBankPayment, type TestTBank } from './t-bank.ts';

export type TBankApp = Omit<TestApp, 'bank'> & {
  /** The bank behind every route. */
  readonly tBank: TestTBank;
  /** The bank tells of one of its payments, as it does: signed, over HTTP. Returns the status of the answer. */
  notify(payment: TBankPayment): Promise<number>;
  /** Asks the bank about a payment and books the answer. */
  readBack(id: string): Promise<void>;
};

/** The service with T-Bank, as tests play it, behind every route. */
export async function startTBankApp(): Promise<TBankApp> {
  const app = await startTestApp();
  const tBank = await startTestTBank();
  const { url, terminalKey, password, cardKey } = tBank;
  const account = { url, terminalKey, password, cardKey, notificationUrl: 'https://pay.example/notifications/t-bank' };
  const acquirer = createTBankAcquirer({ ...account, routeId: randomUUID(), log: app.deps.log });
  const notifications = createBankNotificationsApp(app.deps, {
    sandboxBankKeys: [],
    tBank: { terminalKey, passwords: [password] },
  });
  const listener = await listen(notifications, '127.0.0.1', 0);
  Object.assign(app.deps, { acquirerOf: () => acquirer });
  return {
    ...app,
    tBank,
    async notify(payment) {
      const { status } = await fetch(`http://127.0.0.1:${String(listener.port)}/notifications/t-bank`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(tBank.notification(payment)),
      });
      return status;
    },
    async readBack(id) {
      await readBack(app.deps, id);
    },
    async close() {
      await listener.drain(0);
      await app.close();
      await acquirer.close();
      await tBank.close();
    },
  };
}
