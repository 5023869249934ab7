import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writePrivateJson } from '../infrastructure/files.ts';
import { payOnForm } from './buyer.ts';
import type { ReceivedCallback } from './demo-receiver.ts';
import { addresses, processUrls } from './environment.ts';
import { callOrFail, text } from './partner.ts';
import { writeState, type SystemState } from './state.ts';

/**
 * What a partner does once after he got access, through the public API: saves his addresses and fetches his callback
 * secret. Safe to repeat.
 */
export async function onboardDemoPartner(state: SystemState, folder: string): Promise<void> {
  const { baseUrl, receiverUrl } = addresses(state);
  const partner = (request: Parameters<typeof callOrFail>[2]) => callOrFail(baseUrl, state.partner, request);
  await partner({
    method: 'PUT',
    target: '/api/integration/endpoints',
    body: { callbackUrl: `${receiverUrl}/callbacks`, returnUrl: `${receiverUrl}/return` },
  });
  if (state.callbackSecret === undefined) {
    // A fixed key: a start that was cut short here gets the same answer again.
    const issued = await issueSecret(() =>
      partner({
        method: 'POST',
        target: '/api/integration/callback-secret',
        idempotencyKey: 'demo-callback-secret-1',
        body: { confirmSecureStorage: true },
      }),
    );
    state.callbackSecret = { secret: text(issued, 'secret'), keyId: text(issued, 'keyId') };
    writeState(folder, state);
  }
  writePrivateJson(join(folder, 'callback-secret.json'), state.callbackSecret);
}

/** The notifier learns the addresses by a message: for a moment it may not know them yet. */
async function issueSecret<T>(issue: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 30_000; ;) {
    try {
      return await issue();
    } catch (error) {
      const early = error instanceof Error && error.message.includes('ENDPOINTS_NOT_CONFIGURED');
      if (!early || Date.now() > end) throw error;
      await sleep(100);
    }
  }
}

/** The approved card of the sandbox bank. */
const APPROVED = { number: '2200700000000009', expiry: '12/34', cvv: '123' };

/**
 * One payment through the real doors, a line for each step with the milliseconds since the first:
 * signed request → form → bank → ledger → verified callback.
 * @throws Error when a step does not happen within a minute.
 */
export async function payOnce(state: SystemState, say: (line: string) => void): Promise<void> {
  const { baseUrl, receiverUrl } = addresses(state);
  const begin = performance.now();
  const step = (line: string) => {
    say(`  ${String(Math.round(performance.now() - begin)).padStart(5)} ms  ${line}`);
  };
  const orderID = `start-${String(Date.now())}`;
  const created = await callOrFail(baseUrl, state.partner, {
    method: 'POST',
    target: '/api/card',
    idempotencyKey: `key-of-${orderID}`,
    body: {
      paymentPointID: state.partner.paymentPoints.card,
      orderID,
      amount: 10.5,
      currency: 'RUB',
      description: 'The first payment',
      customerID: 'demo-buyer',
      savePaymentMethod: false,
    },
  });
  const id = text(created, 'id');
  step(`partner  POST /api/card, signed: 201 ${text(created, 'status')}, payment ${id}`);
  const paymentUrl = text(created, 'paymentUrl');
  const end = await payOnForm(paymentUrl, APPROVED);
  step(`buyer    opened the form and paid 10.50 RUB with a test card at ${new URL(end).origin}`);
  const status = await until(`payment ${id} to be COMPLETED`, async () => {
    const body = await callOrFail(baseUrl, state.partner, { method: 'GET', target: `/api/card/${id}` });
    const now = text(body, 'status');
    if (['REJECTED', 'FAILED', 'EXPIRED', 'CANCELLED'].includes(now)) throw new Error(`payment ${id} ended ${now}`);
    return now === 'COMPLETED' ? now : undefined;
  });
  step(`bank     took the money, the ledger has it: GET /api/card/${id.slice(0, 8)}… says ${status}`);
  const callback = await until('the callback', async () => {
    const response = await fetch(`${receiverUrl}/callbacks.json`);
    const received = (await response.json()) as ReceivedCallback[];
    return received.find((one) => one.orderId === id && one.type === 'payment.completed' && one.verified);
  });
  step(`partner  got the callback ${callback.type}, signature verified, version ${String(callback.aggregateVersion)}`);
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error(`waited a minute for ${what}`);
}

/** A payment that is not paid yet: its link, to click. */
export async function openPayment(state: SystemState): Promise<string> {
  const orderID = `try-${String(Date.now())}`;
  const created = await callOrFail(addresses(state).baseUrl, state.partner, {
    method: 'POST',
    target: '/api/card',
    idempotencyKey: `key-of-${orderID}`,
    body: {
      paymentPointID: state.partner.paymentPoints.card,
      orderID,
      amount: 149.9,
      currency: 'RUB',
      description: 'Tea, 100 g',
      customerID: 'demo-buyer',
      savePaymentMethod: false,
    },
  });
  return text(created, 'paymentUrl');
}

/** Writes `demo.json`: everything that somebody needs to use the running system. Its presence says: all is ready. */
export function writeDemoFile(state: SystemState, folder: string): void {
  const { baseUrl, formUrl, consoleUrl, bankUrl, receiverUrl } = addresses(state);
  const programs = [...new Set(state.processes.map(({ program }) => program))].filter(
    (program) => program !== 'demo-receiver',
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
    formUrl,
    consoleUrl,
    bankUrl,
    docsUrl: `${baseUrl}/docs`,
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
    operators: [],
    services: Object.fromEntries(services) as Record<string, unknown>,
  });
}
