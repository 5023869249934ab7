import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../packages/sdk/src/client.ts';
import type { NewCardPayment } from '../../packages/sdk/src/types.ts';
import { writePrivateJson } from '../infrastructure/files.ts';
import { payAtCheckout } from './buyer.ts';
import { addresses, isReceiver, processUrls, shopAdminUrl } from './environment.ts';
import { clientOf, isRefusal } from './partner.ts';
import { writeState, type SystemState } from './state.ts';

/** Where a partner's program reaches the service, and where the service reaches the partner's receiver. */
export type PublicUrls = { readonly baseUrl: string; readonly receiverUrl: string };

/**
 * What partners do once they have access, through the public API: save their addresses and fetch their callback secret,
 * which the receiver then reads. Safe to repeat.
 */
export async function onboardDemoPartner(state: SystemState, folder: string, urls: PublicUrls): Promise<void> {
  const client = clientOf(urls.baseUrl, state.partner);
  try {
    await client.saveEndpoints({
      callbackUrl: `${urls.receiverUrl}/callbacks`,
      returnUrl: `${urls.receiverUrl}/return`,
    });
    if (state.callbackSecret === undefined) {
      const { secret, keyId } = await issueSecret(client);
      state.callbackSecret = { secret, keyId };
      writeState(folder, state);
    }
    writePrivateJson(state.callbackSecretFile, state.callbackSecret);
  } finally {
    client.close();
  }
}

/** The notifier learns the addresses from a message, so for a moment it may not know them. */
async function issueSecret(client: Client) {
  for (const end = Date.now() + 60_000; ;) {
    try {
      // A fixed key: a start that was interrupted here gets the same answer again.
      return await client.issueCallbackSecret({ confirmSecureStorage: true }, { idempotencyKey: 'demo-callback-secret-1' });
    } catch (error) {
      if (!isRefusal(error, 'ENDPOINTS_NOT_CONFIGURED') || Date.now() > end) throw error;
      await sleep(100);
    }
  }
}

/** The approved card of the sandbox bank. */
const APPROVED = { number: '2200700000000009', expiry: '12/34', cvv: '123' };

/**
 * Makes one payment through the public API and prints a line for each step with the milliseconds since the first:
 * signed request → checkout → bank → ledger → verified callback.
 * @throws Error if a step does not happen within a minute
 */
export async function payOnce(state: SystemState, urls: PublicUrls, say: (line: string) => void): Promise<void> {
  const client = clientOf(urls.baseUrl, state.partner);
  const begin = performance.now();
  const step = (line: string) => {
    say(`  ${String(Math.round(performance.now() - begin)).padStart(5)} ms  ${line}`);
  };
  try {
    const { id, status, paymentUrl } = await client.createCardPayment(order(state, '10.50', 'The first payment'));
    if (paymentUrl === undefined) throw new Error(`payment ${id} is ${status} and has no checkout: is the bank reachable?`);
    step(`partner  POST /api/card, signed: 201 ${status}, payment ${id}`);
    await payAtCheckout(paymentUrl, APPROVED);
    step(`buyer    paid 10.50 RUB with a test card on ${new URL(paymentUrl).origin}`);
    await until(`payment ${id} to be COMPLETED`, async () => {
      const now = await client.readCardPayment(id);
      if (NEGATIVE.has(now.status)) throw new Error(`payment ${id} ended ${now.status}, ${now.failureCode ?? ''}`);
      return now.status === 'COMPLETED' ? now : undefined;
    });
    step(`bank     took the money, the ledger has it: GET /api/card/…${id.slice(-8)} says COMPLETED`);
    // DELIVERED: the receiver verified the signature and answered 200. What it cannot verify it answers 401.
    const callback = await until('the callback', async () => {
      const { items } = await client.listEvents({ objectId: id, type: 'payment.completed', status: 'DELIVERED' });
      return items[0];
    });
    step(`partner  got the callback ${callback.type}, signature verified, version ${String(callback.aggregateVersion)}`);
  } finally {
    client.close();
  }
}

const NEGATIVE: ReadonlySet<string> = new Set(['REJECTED', 'FAILED', 'EXPIRED', 'CANCELLED']);

function order(state: SystemState, amount: string, description: string): NewCardPayment {
  return {
    paymentPointID: state.partner.paymentPoints.card,
    orderID: `demo-${randomUUID()}`,
    amount,
    currency: 'RUB',
    description,
    customerID: 'demo-buyer',
    savePaymentMethod: false,
  };
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error(`waited a minute for ${what}`);
}

/** A payment that is not paid yet: returns its link. */
export async function openPayment(state: SystemState, urls: PublicUrls): Promise<string> {
  const client = clientOf(urls.baseUrl, state.partner);
  try {
    const { paymentUrl, status } = await client.createCardPayment(order(state, '149.90', 'Tea, 100 g'));
    return paymentUrl ?? `(payment ${status}: no checkout yet)`;
  } finally {
    client.close();
  }
}

/** Writes `demo.json`: everything needed to use the running system. Its presence means that all is ready. */
export function writeDemoFile(state: SystemState, folder: string): void {
  const { baseUrl, checkoutUrl, consoleUrl, portalUrl, bankUrl, bankControlUrl, receiverUrl } = addresses(state);
  const programs = [...new Set(state.processes.map(({ program }) => program))].filter(
    (program) => !isReceiver(program) && program !== 'edge',
  );
  const services = programs.map((program) => {
    const processes = state.processes
      .filter((one) => one.program === program)
      .sort((a, b) => a.replica - b.replica)
      .map(({ replica, record }) => ({ url: processUrls(state, program, replica).url, pid: record.pid }));
    return [program, processes.length === 1 ? processes[0] : processes];
  });
  const { partner, other, infrastructure } = state;
  writePrivateJson(join(folder, 'demo.json'), {
    readyAt: new Date().toISOString(),
    rung: infrastructure.rung,
    baseUrl,
    formUrl: checkoutUrl,
    consoleUrl,
    portalUrl,
    bankUrl,
    bankControlUrl,
    bankControlKey: state.secrets.bankControlKey,
    docsUrl: `${consoleUrl}/docs/`,
    partnerID: partner.partnerID,
    publicKey: partner.publicKey,
    privateKeyFile: join(folder, 'demo-partner.pem'),
    storeID: partner.storeID,
    paymentPoints: partner.paymentPoints,
    databaseUrl: state.databaseAdminUrl,
    amqpUrl: infrastructure.amqpUrl,
    beneficiaryRef: partner.beneficiaryRef,
    returnUrl: `${receiverUrl}/return`,
    callbackUrl: `${receiverUrl}/callbacks`,
    ...(state.shop === undefined ? {} : { shopUrl: receiverUrl, shopAdminUrl: shopAdminUrl(state) }),
    callbackSecret: state.callbackSecret?.secret,
    callbackKeyId: state.callbackSecret?.keyId,
    otherPartner: {
      partnerID: other.partnerID,
      publicKey: other.publicKey,
      privateKeyFile: join(folder, 'other-partner.pem'),
      storeID: other.storeID,
      paymentPoints: other.paymentPoints,
    },
    logsDir: join(folder, 'logs'),
    operators: state.operators.map(({ login, password, role }) => ({ login, password, role })),
    services: Object.fromEntries(services) as Record<string, unknown>,
  });
}
