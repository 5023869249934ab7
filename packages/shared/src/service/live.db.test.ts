import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestBroker, type TestBroker } from '../../../../tools/testing/database.ts';
import { COMPILE_CACHE } from '../../../../tools/testing/process.ts';
import { createAuthority, startTlsWay, throughTls, type Authority, type TlsWay } from '../../../../tools/testing/tls-way.ts';
import { migrateMechanisms, openMechanisms, until, type Mechanisms } from '../../test/mechanisms.ts';

const MAIN = fileURLToPath(new URL('../../test/probe-service.ts', import.meta.url));
const HARDENED = fileURLToPath(new URL('../../../../tools/hardened.sh', import.meta.url));
let t: Mechanisms;
let broker: TestBroker;
let [authority, other]: Authority[] = [];
let ways: { database: TlsWay; broker: TlsWay };
let end: (() => Promise<unknown>) | undefined;
let live: Record<string, string>;

beforeAll(async () => {
  [t, broker] = await Promise.all([openMechanisms(), createTestBroker()]);
  [authority, other] = [createAuthority(), createAuthority()];
  ways = {
    database: await startTlsWay(new URL(t.url), authority, true),
    broker: await startTlsWay(new URL(broker.url), authority, false),
  };
  const amqp = new URL(broker.url.replace(/^amqp:/, 'amqps:'));
  amqp.host = `localhost:${String(ways.broker.port)}`;
  live = {
    ENVIRONMENT: 'LIVE',
    DATABASE_URL: throughTls(t.url, ways.database, authority),
    AMQP_URL: amqp.href,
    // The broker's authority; the database's is in its URL.
    NODE_EXTRA_CA_CERTS: authority.caFile,
  };
});
afterEach(async () => {
  await end?.();
  end = undefined;
});
afterAll(async () => {
  await Promise.all([ways.database.stop(), ways.broker.stop(), t.close(), broker.drop()]);
  authority?.remove();
  other?.remove();
});

/** Starts the probe service as LIVE; resolves when it listens or has ended. */
async function start(change: Record<string, string> = {}, command = [HARDENED, process.execPath]) {
  const [program, ...args] = [...command, MAIN];
  const env = { ...COMPILE_CACHE, PATH: process.env['PATH'], PORT: '0', PRIVATE_PORT: '0', ...live, ...change };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  end = () => {
    child.kill('SIGKILL');
    return closed;
  };
  let [complaint, logged] = ['', ''];
  const ports = new Map<unknown, unknown>();
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Record<string, unknown>;
    logged += text;
    if (line['msg'] === 'listening') ports.set(line['listener'], line['port']);
  });
  await until(() => ports.has('api') || child.exitCode !== null);
  if (child.exitCode !== null) await closed;
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${String(ports.get('private'))}/readyz`);
    return (await answer.json()) as { status: string; missing?: string[] };
  };
  return { exitCode: child.exitCode, complaint, logged, readiness };
}

it('LIVE does not start on a schema that was migrated as TEST (L7)', async () => {
  const { exitCode, complaint } = await start();
  expect(exitCode).toBe(1);
  expect(complaint).toMatch(/^probe: clock_now\(\) of this schema is not LIVE's: .*\n$/);
});

describe('on a schema of LIVE', () => {
  beforeAll(() => migrateMechanisms(t.url, 'LIVE'));

  it('the service starts by TLS, to a database and a broker whose certificates it checked (L4)', async () => {
    const { complaint, readiness } = await start();
    await until(async () => (await readiness()).status === 'ready');
    expect(complaint).toBe('');
  });

  it('one message names every address in the clear, and certificates that are not checked (L4)', async () => {
    const clear = { DATABASE_URL: t.url, AMQP_URL: broker.url, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { exitCode, complaint } = await start(clear);
    expect(exitCode).toBe(1);
    expect(complaint.replace(/^\(node.*\n|^\(Use .*\n/gm, '')).toBe(
      [
        'probe: The configuration is not valid:',
        '  DATABASE_URL: must say sslmode=verify-full with ENVIRONMENT=LIVE',
        '  AMQP_URL: must be amqps with ENVIRONMENT=LIVE',
        '  NODE_TLS_REJECT_UNAUTHORIZED: must not be 0, certificates are checked, with ENVIRONMENT=LIVE',
        '',
      ].join('\n'),
    );
  });

  it("a database of somebody else's authority is not believed (L4)", async () => {
    const { exitCode, logged } = await start({
      DATABASE_URL:
        live['DATABASE_URL']?.replace(encodeURIComponent(authority?.caFile ?? ''), encodeURIComponent(other?.caFile ?? '')) ?? '',
    });
    expect(exitCode).toBe(1);
    expect(logged).toMatch(/certificate/);
  });

  it("a broker of somebody else's authority is not believed: the service is not ready (L4)", async () => {
    const { readiness } = await start({ NODE_EXTRA_CA_CERTS: other?.caFile ?? '' });
    expect(await readiness()).toMatchObject({ status: 'not ready', missing: ['broker'] });
  });

  it('refuses to start where its memory could be read from outside', async () => {
    const { exitCode, complaint } = await start({}, [process.execPath]);
    expect(exitCode).toBe(1);
    expect(complaint).toContain('probe: LIVE is started by tools/hardened.sh:\n  Node runs without --disable-sigusr1\n');
  });
});
