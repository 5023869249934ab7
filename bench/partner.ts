import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { freshMoment, signRequest, type Identity } from '../packages/sdk/src/sign.ts';

/** A minimal partner: one pool, one signature per request, no retries. */
export type BenchPartner = {
  read(id: string): Promise<void>;
  /** `amount` is in rubles. */
  create(paymentPointID: string, amount?: number): Promise<{ id: string; paymentUrl: string }>;
  /** Charges a saved card. */
  charge(bindingId: string): Promise<void>;
  close(): Promise<void>;
};

/** Requests that every bench has in flight. */
export const CONCURRENCY = 32;

export function partnerOf(baseUrl: string, identity: Identity, connections = CONCURRENCY): BenchPartner {
  const pool = new Pool(baseUrl, { connections, pipelining: 1 });
  const call = async (method: 'GET' | 'POST', target: string, status: number, text = ''): Promise<unknown> => {
    const body = Buffer.from(text);
    const idempotencyKey = method === 'POST' ? randomUUID() : '';
    const { authorization } = signRequest(identity, { method, target, idempotencyKey, body }, freshMoment(new Date()));
    const response = await pool.request({
      method,
      path: target,
      headers: {
        authorization,
        ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey } : {}),
      },
      ...(method === 'POST' ? { body } : {}),
    });
    const answer = await response.body.text();
    if (response.statusCode !== status) throw new Error(`${method} ${target}: ${String(response.statusCode)} ${answer}`);
    return JSON.parse(answer);
  };
  return {
    async read(id) {
      await call('GET', `/api/card/${id}`, 200);
    },
    async create(paymentPointID, amount = 10.5) {
      const orderID = `bench-${randomUUID()}`;
      const payment = {
        paymentPointID,
        orderID,
        amount,
        currency: 'RUB',
        description: 'bench',
        customerID: 'bench',
      };
      const answer = await call('POST', '/api/card', 201, JSON.stringify({ ...payment, savePaymentMethod: false }));
      return answer as { id: string; paymentUrl: string };
    },
    async charge(bindingId) {
      const merchantOrderId = `bench-${randomUUID()}`;
      const charge = { merchantOrderId, amount: '10.50', currency: 'RUB', bindingId, description: 'bench' };
      await call('POST', '/v1/recurring-payments', 201, JSON.stringify(charge));
    },
    close: () => pool.close(),
  };
}
