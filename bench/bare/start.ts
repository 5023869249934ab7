import { createPublicKey } from 'node:crypto';
import { withClient } from '../../tools/infrastructure/provision.ts';
import type { SystemState } from '../../tools/system/state.ts';
import { startBenchProcess, type BenchProcess } from '../processes/start.ts';

/**
 * The bare path: two programs with the hops of a signed card create and of a status read, and none of the rules
 * (decisions/speed).
 */
export type BarePath = { readonly gateway: BenchProcess; readonly payments: BenchProcess; stop(): void };

const SCHEMA = `
  create schema bare;
  create table bare.nonces (nonce text primary key);
  create table bare.idempotency_records (
    partner_id text, key text, body_sha256 text not null, payment_id uuid not null, primary key (partner_id, key));
  create table bare.payments (
    payment_id uuid primary key, partner_id text not null, payment_point_id text not null, order_id text not null,
    amount_kopecks bigint not null, description text not null, customer_id text not null, status text not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create table bare.events (event_id uuid primary key, payment_id uuid not null, body jsonb not null);`;

/** Starts both on the system's own PostgreSQL, for its demo partner, in front of the bank that ours has, too. */
export async function startBarePath(state: SystemState, bankUrl: string): Promise<BarePath> {
  const databaseUrl = state.databaseAdminUrl;
  await withClient(databaseUrl, (client) => client.query(SCHEMA));
  const payments = await startBenchProcess('bare-payments', { DATABASE_URL: databaseUrl, BANK_URL: bankUrl });
  const gateway = await startBenchProcess('bare-gateway', {
    DATABASE_URL: databaseUrl,
    PAYMENTS_URL: payments.url,
    PARTNER_KEY_PEM: createPublicKey(state.partner.privateKeyPem).export({ type: 'spki', format: 'pem' }).toString(),
  });
  return {
    gateway,
    payments,
    stop: () => {
      gateway.stop();
      payments.stop();
    },
  };
}
