import { randomUUID } from 'node:crypto';
import { createTBankChannel } from '../src/channels/t-bank/t-bank-channel.ts';
import { readBack } from '../src/use-cases/read-back.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startTestTBank, type TestTBank } from './t-bank.ts';

export type TBankApp = Omit<TestApp, 'bank'> & {
  /** The bank behind every route. */
  readonly tBank: TestTBank;
  /** Asks the bank about a payment and books the answer. */
  readBack(id: string): Promise<void>;
};

/** The service with T-Bank, as tests play it, behind every route. */
export async function startTBankApp(): Promise<TBankApp> {
  const app = await startTestApp();
  const tBank = await startTestTBank();
  const channel = createTBankChannel({
    url: tBank.url,
    terminalKey: tBank.terminalKey,
    password: tBank.password,
    cardKey: tBank.cardKey,
    notificationUrl: 'https://pay.example/notifications/t-bank',
    routeId: randomUUID(),
    log: app.deps.log,
  });
  Object.assign(app.deps, { channelOf: () => channel });
  return {
    ...app,
    tBank,
    readBack: (id) => readBack(app.deps, id),
    async close() {
      await app.close();
      await channel.close();
      await tBank.close();
    },
  };
}
