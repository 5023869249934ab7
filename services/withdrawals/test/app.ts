import { FACTS } from '@pay/contract/facts.ts';
import { factVerifier } from '@pay/shared/broker/fact-signature.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { listen } from '@pay/shared/http/server.ts';
import { internalTokenSigner, internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { noOwners } from '../../../packages/shared/test/no-owners.ts';
import { testConsoleKey, type Somebody } from '../../../packages/shared/test/operators.ts';
import { untilBlocked } from '../../../packages/shared/test/mechanisms.ts';
import { createTestDatabase } from '../../../tools/testing/database.ts';
import { onStoreCreated } from '../src/consumers/on-store-created.ts';
import type { Deps } from '../src/deps.ts';
import { createWithdrawalsApp } from '../src/http/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../src/http/operator/app.ts';

export type Json = Readonly<Record<string, unknown>>;
/** A response of the service. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Json };

export type Call = {
  readonly partner: string;
  /** A random key by default; null sends none. */
  readonly key?: string | null;
  /** Sent literally instead of `body`. */
  readonly raw?: string;
  readonly body?: unknown;
  /** Which replica; the first by default. */
  readonly replica?: number;
};

/** A partner with a funded store and a recipient. */
export type Funded = { readonly partner: string; readonly storeId: string; readonly beneficiaryRef: string };

/** One row of a table, as PostgreSQL returns it. */
export type Row = Readonly<Record<string, unknown>>;

export type TestApp = {
  readonly databaseUrl: string;
  readonly deps: Deps;
  call(method: string, path: string, call: Call): Promise<Answer>;
  /** An operator's call. */
  operate(operator: Somebody, method: string, path: string, body?: unknown): Promise<Answer>;
  /** A partner whose store was credited by a proposal and its confirmation. */
  givenPartner(amountUsdt?: string): Promise<Funded>;
  /** POST /api/withdrawal-requests. */
  request(funded: Funded, amountUsdt: unknown, call?: Partial<Call>): Promise<Answer>;
  /** Makes a request that is accepted; returns its id. */
  givenRequest(funded: Funded, amountUsdt?: string): Promise<string>;
  /** Waits until that many sessions wait for a lock. */
  untilBlocked(count: number): Promise<void>;
  /** An action on the newest revision, unless another is given. */
  act(operator: Somebody, id: string, action: string, more?: Json): Promise<Answer>;
  /** The store's balance row. Throws if it is not the sum of its entries. */
  balance(storeId: string): Promise<{ available: bigint; reserved: bigint; paid: bigint; credited: bigint }>;
  rows(text: string, values?: unknown[]): Promise<Row[]>;
  moveClock(interval: string): Promise<void>;
  close(): Promise<void>;
};

/** The service in this process: two replicas with a pool each, on a database of their own. */
export async function startTestApp(): Promise<TestApp> {
  const testDatabase = await createTestDatabase('withdrawals');
  const side = new pg.Pool({ connectionString: testDatabase.ownerUrl, max: 2 });
  const log = createLog('withdrawals', 'silent');
  const tokenKey = randomBytes(32);
  const people = testConsoleKey();
  const sign = internalTokenSigner('gateway', 'withdrawals', tokenKey);

  const startReplica = async () => {
    const url = testDatabase.url;
    const database = openDatabase({ url, applicationName: 'withdrawals-test', onIdleError: () => undefined });
    const deps: Deps = { db: database.db, log, pageTokens: pageTokens(tokenKey, 'withdrawals') };
    const api = await listen(createWithdrawalsApp(deps, internalTokenVerifier('withdrawals', tokenKey), new Map()), HOST, 0);
    const verify = factVerifier(FACTS, 'withdrawals', new Map([['payments', new Map([['k1', FACT_KEY]])]]));
    const operators = await listen(
      createOperatorApp(
        { ...deps, owners: noOwners('withdrawals'), handlers: { 'store.created': onStoreCreated(deps) }, verify },
        people.verifierOf(OPERATOR_AUDIENCE),
      ),
      HOST,
      0,
    );
    const close = async () => {
      await Promise.all([api.drain(0), operators.drain(0)]);
      await database.close();
    };
    return { deps, api: origin(api.port), operators: origin(operators.port), close };
  };
  const replicas = [await startReplica(), await startReplica()] as const;

  const t: TestApp = {
    databaseUrl: testDatabase.url,
    deps: replicas[0].deps,
    async call(method, path, { partner, key, raw, body, replica = 0 }) {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const idempotencyKey = key === undefined && method === 'POST' ? randomUUID() : key;
      return answerOf(
        await fetch(`${replicas[replica % 2 === 0 ? 0 : 1].api}${path}`, {
          method,
          headers: {
            'x-internal-token': sign(partner),
            ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
            ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {}),
          },
          ...(sent === undefined ? {} : { body: sent }),
        }),
      );
    },
    async operate(operator, method, path, body) {
      return answerOf(await people.fetchAs(OPERATOR_AUDIENCE, operator, `${replicas[0].operators}${path}`, { method, body }));
    },
    async givenPartner(amountUsdt = '100.000000') {
      const [partner, storeId] = [`partner-${randomUUID()}`, `store-${randomUUID()}`];
      await t.rows('insert into stores values ($1, $2, $3)', [storeId, partner, 'Tea']);
      const issued = await t.operate('olga', 'POST', `/partners/${partner}/beneficiaries`, { label: 'Main' });
      await t.operate('ivan', 'POST', `/beneficiaries/${String(issued.body['beneficiaryRef'])}/confirm`);
      const amountRub = `${String(BigInt(amountUsdt.split('.')[0] ?? '0') * 80n)}.00`;
      const body = { amountUsdt, amountRub, rate: '80', reference: `settlement ${storeId}` };
      const proposed = await t.operate('olga', 'POST', `/stores/${storeId}/fundings`, body);
      const confirmed = await t.operate('ivan', 'POST', `/fundings/${String(proposed.body['fundingId'])}/confirm`);
      if (confirmed.status !== 200) throw new Error(`not funded: ${proposed.text} ${confirmed.text}`);
      return { partner, storeId, beneficiaryRef: String(issued.body['beneficiaryRef']) };
    },
    request: ({ partner, storeId, beneficiaryRef }, amountUsdt, call = {}) =>
      t.call('POST', '/api/withdrawal-requests', { partner, body: { storeId, amountUsdt, beneficiaryRef }, ...call }),
    async givenRequest(funded, amountUsdt = '10') {
      const answer = await t.request(funded, amountUsdt);
      if (answer.status !== 201) throw new Error(`not requested: ${answer.text}`);
      return String(answer.body['withdrawalRequestId']);
    },
    untilBlocked: (count) => untilBlocked((text) => t.rows(text), count),
    async act(operator, id, action, more = {}) {
      const [row] = await t.rows('select revision from withdrawals where withdrawal_request_id = $1', [id]);
      const reason = ['reject', 'cancel', 'fail'].includes(action) ? { reason: 'as agreed by phone' } : {};
      const transfer = action === 'complete' ? { transferReference: randomBytes(32).toString('hex') } : {};
      const body = { revision: row?.['revision'], ...reason, ...transfer, ...more };
      return t.operate(operator, 'POST', `/withdrawals/${id}/${action}`, body);
    },
    async balance(storeId) {
      const sum = (account: string) => `coalesce(sum(amount_micro_usdt) filter (where account = '${account}'), 0)::text`;
      const [booked] = await t.rows(
        `select ${sum('AVAILABLE')} as available, ${sum('RESERVED')} as reserved, ${sum('PAID')} as paid,
                (-${sum('FUNDING').replace('::text', '')})::text as credited
           from ledger_entries where store_id = $1`,
        [storeId],
      );
      const [kept] = await t.rows(
        `select available_micro_usdt as available, reserved_micro_usdt as reserved, paid_micro_usdt as paid,
                credited_micro_usdt as credited
           from balances where store_id = $1`,
        [storeId],
      );
      if (JSON.stringify(kept) !== JSON.stringify(booked))
        throw new Error(`balance ${JSON.stringify(kept)}, booked ${JSON.stringify(booked)}`);
      const micro = (name: string) => BigInt(String(kept?.[name]));
      return {
        available: micro('available'),
        reserved: micro('reserved'),
        paid: micro('paid'),
        credited: micro('credited'),
      };
    },
    rows: async (text, values = []) => (await side.query<Row>(text, values)).rows,
    async moveClock(interval) {
      await t.rows('create table if not exists moved (by interval)');
      await t.rows('grant select on moved to public');
      await t.rows('insert into moved values ($1)', [interval]);
      await t.rows(`create or replace function clock_now() returns timestamptz language sql stable as $$
        select date_trunc('milliseconds', clock_timestamp()) + (select sum(by) from moved) $$`);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
      await side.end();
      await testDatabase.drop();
    },
  };
  return t;
}

/** The key that payments signs its facts with. */
export const FACT_KEY = randomBytes(32);
const HOST = '127.0.0.1';
const origin = (port: number) => `http://${HOST}:${String(port)}`;

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv') === true;
  const value: unknown = text === '' || isCsv ? {} : JSON.parse(text);
  const body: Json = typeof value === 'object' && value !== null ? { ...value } : {};
  return { status: response.status, headers: response.headers, text, body };
}
