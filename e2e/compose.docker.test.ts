import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { WithdrawalBalance, WithdrawalRequest, WithdrawalRequestList } from '../packages/contract/src/api/withdrawals.ts';
import type { Client } from '../packages/sdk/src/client.ts';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { codeOf } from '../services/console/test/one-time-code.ts';
import type { Demo } from '../tools/compose/demo.ts';
import { SERVICES } from '../tools/infrastructure/provision.ts';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { clientOf } from '../tools/system/partner.ts';
import {
  atConsole,
  composeSystem,
  docker,
  NODE_IMAGE,
  replicaOf,
  serviceOf,
  type AtConsole,
  type ComposeSystem,
  type Image,
} from './compose.ts';
import { CARDS, until } from './world.ts';

/** The programs that may have several replicas. */
const REPLICATED = [...SERVICES, 'checkout', 'portal'] as const;
const EVENTS = [
  'payment.completed',
  'payment.failed',
  'binding.created',
  'binding.revoked',
  'refund.pending',
  'refund.completed',
  'refund.failed',
  'payment.refunded',
];

describe('docker compose up --build --wait, two replicas of every service', () => {
  let system: ComposeSystem;
  let demo: Demo;
  let client: Client;
  let olga: AtConsole;
  /** What the partner created: read again after a full restart. */
  const made = { cards: [] as string[], customerId: `buyer-${randomUUID()}`, bindingId: '', withdrawalRequestId: '' };

  beforeAll(async () => {
    system = await composeSystem();
    const two = REPLICATED.flatMap((service) => ['--scale', `${service}=2`]);
    await system.compose('up', '--build', '--wait', '--quiet-pull', ...two);
    demo = JSON.parse(await system.compose('run', '--rm', '--no-TTY', 'demo')) as Demo;
    client = clientOf(demo.baseUrl, demo);
  }, 900_000);

  afterAll(async () => {
    await system.remove();
    client.close();
  });

  /** Two connections in sequence: each reaches a different gateway. */
  async function askBothGateways(): Promise<void> {
    for (let turn = 0; turn < 2; turn += 1) {
      const fresh = clientOf(demo.baseUrl, demo);
      expect(await fresh.listPaymentPoints()).toHaveLength(2);
      fresh.close();
    }
  }
  const order = (amount: string) => ({
    paymentPointID: demo.paymentPoints.card,
    orderID: `compose-${randomUUID()}`,
    amount,
    currency: 'RUB' as const,
    description: 'Tea, 100 g',
    customerID: made.customerId,
  });
  const cardEnded = (id: string) =>
    until(`payment ${id} to end`, async () => {
      const payment = await client.readCardPayment(id);
      return ['CREATED', 'SUBMITTED', 'PENDING'].includes(payment.status) ? undefined : payment;
    });
  /** A payment that a buyer tries to pay with this card. */
  async function paidCard(number: string, amount = '10.50') {
    const { id, paymentUrl = '' } = await client.createCardPayment(order(amount));
    expect(new URL(paymentUrl).port).toBe(String(system.ports.PAY_FORM_PORT));
    await payAtCheckout(paymentUrl, { number, expiry: '12/34', cvv: '123' });
    made.cards.push(id);
    return cardEnded(id);
  }
  /** A QR code that a buyer pays on their bank's page. */
  async function paidQr(amount: string) {
    const { id, nspkurl = '' } = await client.createQrPayment({ paymentPointID: demo.paymentPoints.qr, amount });
    const { origin, port } = new URL(nspkurl);
    expect(port).toBe(String(system.ports.PAY_BANK_PORT));
    const body = new URLSearchParams({ decision: 'pay' });
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    expect((await fetch(nspkurl, { method: 'POST', redirect: 'manual', headers, body })).status).toBe(303);
    return until(`QR payment ${id} to be paid`, async () => {
      const payment = await client.readQrPayment(id);
      return payment.status === 'COMPLETED' ? payment : undefined;
    });
  }
  /** A saved card that the partner may charge once a minute. */
  async function savedCard(): Promise<string> {
    const consent = { savePaymentMethod: true, recurringConsent: { period: 'PT1M' as const } };
    const { id, paymentUrl = '' } = await client.createCardPayment({ ...order('990.00'), ...consent });
    await payAtCheckout(paymentUrl, { number: CARDS.approved, expiry: '12/34', cvv: '123' }, { agree: true });
    const { bindingId = '' } = await cardEnded(id);
    await until(`binding ${bindingId}`, () => client.readBinding(bindingId).catch(() => undefined));
    return bindingId;
  }
  async function advanceClock(advance: string): Promise<void> {
    const headers = { authorization: `Bearer ${demo.bankControlKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ advance });
    expect((await fetch(`${demo.bankControlUrl}/control/clock`, { method: 'POST', headers, body })).status).toBe(200);
  }
  const charge = (bindingId: string) =>
    client.createRecurringPayment({
      merchantOrderId: `compose-${randomUUID()}`,
      amount: '990.00',
      currency: 'RUB',
      bindingId,
      description: 'Tea, monthly',
    });
  async function refusal(call: Promise<unknown>) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    return error instanceof ApiError ? { status: error.status, code: error.code } : undefined;
  }
  /** A call without a method in the client; the answer is parsed with the document's schema. */
  async function call<T>(answer: z.ZodType<T>, target: string, body?: object): Promise<T> {
    const { json } = await client.request({ method: body === undefined ? 'GET' : 'POST', target, body });
    return answer.parse(json);
  }
  const balance = () => call(WithdrawalBalance, `/api/withdrawal-balances/${demo.storeID}`);
  const withdrawal = (id: string) => call(WithdrawalRequest, `/api/withdrawal-requests/${id}`);
  const withdrawals = () => call(WithdrawalRequestList, `/api/withdrawal-requests?storeId=${demo.storeID}&limit=5`);
  async function signIn(name: string): Promise<AtConsole> {
    const at = atConsole(demo.consoleUrl);
    const { login, password } = demo.operators.find((one) => one.login.startsWith(`${name}@`)) ?? {};
    const answer = await at('POST', '/api/auth/sign-in/email', { email: login, password });
    expect(answer.status).toBe(200);
    return at;
  }

  it('19: pays, refunds, saves, charges and revokes through the published ports, and each of the eight events comes signed', async () => {
    // What a partner does once.
    const points = await client.listPaymentPoints();
    expect(points.map(({ paymentPointID }) => paymentPointID).sort()).toEqual(Object.values(demo.paymentPoints).sort());
    const { callbackUrl, returnUrl } = await client.readEndpoints();
    const endpoints = { callbackUrl: callbackUrl ?? '', returnUrl: returnUrl ?? '' };
    expect(await client.saveEndpoints(endpoints)).toMatchObject(endpoints);
    const again = { idempotencyKey: 'demo-callback-secret-1' };
    expect(await client.issueCallbackSecret({ confirmSecureStorage: true }, again)).toMatchObject({
      secret: demo.callbackSecret,
      keyId: demo.callbackKeyId,
    });

    const card = await paidCard(CARDS.approved);
    expect(await client.refundCardPayment(card.id, { amount: '0.51' })).toMatchObject({ refundedAmount: '0.51' });
    await client.refundCardPayment(card.id);
    // A refund that got no answer of the bank in time is PENDING, and read back.
    const refunded = await until(`payment ${card.id} to be refunded`, async () => {
      const payment = await client.readCardPayment(card.id);
      return payment.status === 'REFUNDED' ? payment : undefined;
    });
    expect(refunded).toMatchObject({ refundedAmount: '10.50' });
    const declined = await paidCard(CARDS.declined);
    expect(declined).toMatchObject({ status: 'REJECTED', failureCode: 'DECLINED_BY_ISSUER' });

    // The sandbox bank refuses to return what has these kopecks.
    const qr = await paidQr('10.95');
    expect(await client.refundQrPayment(qr.id)).toMatchObject({ status: 'FAILED' });
    const history = await client.listQrPayments(demo.paymentPoints.qr, { limit: 5 });
    expect(history.items.map(({ id }) => id)).toEqual([qr.id]);

    const bindingId = await savedCard();
    made.bindingId = bindingId;
    expect((await client.listBindings({ customerId: made.customerId })).items).toEqual([await client.readBinding(bindingId)]);
    expect(await refusal(charge(bindingId))).toEqual({ status: 409, code: 'PERIOD_NOT_ELAPSED' });
    await advanceClock('PT1M');
    const { paymentId } = await charge(bindingId);
    expect(await cardEnded(paymentId)).toMatchObject({ status: 'COMPLETED', paymentMethod: 'CARD_BINDING', bindingId });
    made.cards.push(paymentId);
    await client.revokeBinding(bindingId);
    expect(await client.readBinding(bindingId)).toMatchObject({ status: 'REVOKED' });
    expect(await refusal(charge(bindingId))).toEqual({ status: 409, code: 'BINDING_REVOKED' });

    const received = await system.told({
      [card.id]: 'payment.refunded',
      [declined.id]: 'payment.failed',
      [qr.id]: 'refund.failed',
      [paymentId]: 'payment.completed',
      [bindingId]: 'binding.revoked',
    });
    expect(received.filter(({ verified }) => !verified)).toEqual([]);
    expect(new Set(received.map(({ type }) => type))).toEqual(new Set(EVENTS));
    const typesOf = (id: string) => received.filter(({ body }) => body.includes(id)).map(({ type }) => type);
    expect(typesOf(card.id)).toEqual([
      'payment.completed',
      'refund.pending',
      'refund.completed',
      'refund.pending',
      'refund.completed',
      'payment.refunded',
    ]);
    expect(typesOf(declined.id)).toEqual(['payment.failed']);
    expect(typesOf(qr.id)).toEqual(['payment.completed', 'refund.pending', 'refund.failed']);
    expect(typesOf(bindingId)).toEqual(['binding.created', 'binding.revoked']);
  });

  it('19: a payout takes two people at the console, one with a code of his second factor', async () => {
    olga = await signIn('olga');
    const ivan = await signIn('ivan');
    const password = demo.operators.find(({ login }) => login.startsWith('ivan@'))?.password;
    const { totpURI } = JSON.parse((await ivan('POST', '/api/auth/two-factor/enable', { password })).text) as { totpURI: string };
    const secret = new URL(totpURI).searchParams.get('secret') ?? '';
    const verify = (at: AtConsole, code: string) => at('POST', '/api/auth/two-factor/verify-totp', { code });
    expect((await verify(ivan, codeOf(secret))).status).toBe(200);

    const before = await balance();
    const asked = await call(WithdrawalRequest, '/api/withdrawal-requests', {
      storeId: demo.storeID,
      amountUsdt: '12.345678',
      beneficiaryRef: demo.beneficiaryRef,
    });
    const id = asked.withdrawalRequestId;
    made.withdrawalRequestId = id;
    expect(await balance()).toMatchObject({ availableUsdt: minus(before.availableUsdt, '12.345678'), reservedUsdt: '12.345678' });
    const act = (at: AtConsole, what: string, body: object) =>
      at('POST', `/api/withdrawals/withdrawals/${id}/${what}`, body).then(({ status }) => status);
    const transferReference = randomBytes(32).toString('hex');
    expect(await act(olga, 'take', { revision: 1 })).toBe(200);
    expect(await act(olga, 'approve', { revision: 2 })).toBe(200);
    expect(await act(olga, 'complete', { revision: 3, transferReference })).toBe(403);

    // The password alone no longer signs in; a used code is not accepted.
    const later = await signIn('ivan');
    expect(await act(later, 'complete', { revision: 3, transferReference })).toBe(401);
    expect((await verify(later, codeOf(secret, Date.now() + 30_000))).status).toBe(200);
    expect(await act(later, 'complete', { revision: 3, transferReference })).toBe(200);
    expect(await withdrawal(id)).toMatchObject({ status: 'COMPLETED', transferReference });
    expect((await withdrawals()).items).toEqual([await withdrawal(id)]);
    expect(await balance()).toMatchObject({ availableUsdt: minus(before.availableUsdt, '12.345678'), reservedUsdt: '0.000000' });
  });

  it('19: every endpoint of the contract was answered by then, by both gateways', async () => {
    const contract = readFileSync(new URL('../docs/spec/service-contract.md', import.meta.url), 'utf8');
    const endpoints = [...contract.matchAll(/^\| (GET|POST|PUT) +\| (\/\S+) +\|/gm)].map(
      ([, method = '', path = '']) => `${method} ${path}`,
    );
    expect(endpoints).toHaveLength(16);
    await askBothGateways();
    const calls = (await system.compose('logs', '--no-color', 'gateway')).split('\n').flatMap((line) => {
      const [, replica = '', text = '{}'] = /(gateway-\d) +\| (\{.*\})/.exec(line) ?? [];
      const { msg, method, route, status } = JSON.parse(text) as Partial<Record<string, unknown>>;
      return msg === 'call' && Number(status) < 300 ? [{ replica, endpoint: `${String(method)} ${String(route)}` }] : [];
    });
    expect(new Set(calls.map(({ endpoint }) => endpoint))).toEqual(new Set([...endpoints, ...BESIDE_THE_CONTRACT]));
    expect(new Set(calls.map(({ replica }) => replica))).toEqual(new Set(['gateway-1', 'gateway-2']));
  });

  it('runs every container without root and publishes six ports on loopback', async () => {
    const containers = await system.containers();
    const running = containers.filter(({ State }) => State.Running);
    const counts = Object.groupBy(running, serviceOf);
    expect(REPLICATED.map((service) => [service, counts[service]?.length])).toEqual(REPLICATED.map((one) => [one, 2]));
    const published = running.flatMap((container) =>
      Object.values(container.NetworkSettings.Ports).flatMap((ports) =>
        (ports ?? []).map(({ HostIp, HostPort }) => `${serviceOf(container)} ${HostIp}:${HostPort}`),
      ),
    );
    const wanted = Object.values(system.ports).map((port) => `edge 127.0.0.1:${String(port)}`);
    expect(published.sort()).toEqual(wanted.sort());
    const roots = await Promise.all(running.map(async ({ Name, Id, State }) => [Name, await rootsOf(Id, State.Pid)]));
    expect(roots).toEqual(running.map(({ Name }) => [Name, []]));
    // Without the two servers, whose images begin as root.
    const others = containers.filter((one) => !['postgres', 'rabbitmq'].includes(serviceOf(one)));
    expect(new Set(others.map(({ Config }) => Config.User))).toEqual(new Set(['node']));
  });

  it('each program has an image of its own without the code of others, of a size, version and commit that are known', async () => {
    const page = readFileSync(new URL('../docs/operate/running.md', import.meta.url), 'utf8');
    const bounds = [...page.matchAll(/^\| `(pay-[a-z-]+)` +\| (\d+) +\|/gm)].map(([, name = '', megabytes]) => ({
      name,
      megabytes: Number(megabytes),
    }));
    expect(bounds.map(({ name }) => name).toSorted()).toEqual([...REPLICATED, 'tools'].map((one) => `pay-${one}`).toSorted());
    const inspected = JSON.parse(await docker('image', 'inspect', NODE_IMAGE, ...bounds.map(({ name }) => name))) as Image[];
    const [node, ...images] = inspected;
    const added = images.map(({ Size }, index) => ({ name: bounds[index]?.name, megabytes: Math.ceil((Size - (node?.Size ?? 0)) / 1e6) }));
    expect(added.filter(({ megabytes }, index) => megabytes > (bounds[index]?.megabytes ?? 0))).toEqual([]);
    const about = images.map(({ Config: { User, Labels } }) => [
      User,
      ...['title', 'version', 'revision', 'licenses'].map((label) => Labels?.[`org.opencontainers.image.${label}`]),
    ]);
    expect(about).toEqual(bounds.map(({ name }) => ['node', name, '0.0.0-test', 'tested', 'Apache-2.0']));
    const programs = images.filter((_image, index) => bounds[index]?.name !== 'pay-tools');
    expect(programs.filter(({ Config }) => Config.Healthcheck?.Test.join(' ').includes('/readyz') !== true)).toEqual([]);
    const code = await Promise.all(REPLICATED.map((one) => system.compose('exec', '--no-TTY', one, 'sh', '-c', 'ls -d services/*/src')));
    const owners: Readonly<Record<string, string>> = { checkout: 'payments', portal: 'console' };
    expect(code.map((folders) => folders.trim())).toEqual(REPLICATED.map((one) => `services/${owners[one] ?? one}/src`));
  });

  it('no program and no server runs with a capability, a writable root, or without limits (L8)', async () => {
    const containers = await system.containers();
    // Including the two setup containers, which have ended.
    expect(containers).toHaveLength(2 * REPLICATED.length + 6);
    const rows = containers.map(({ Name, HostConfig: host }) => {
      const limits = { memory: host.Memory > 0, processes: (host.PidsLimit ?? 0) > 0, cores: host.NanoCpus > 0 };
      return { Name, ...limits, isReadOnly: host.ReadonlyRootfs, dropped: host.CapDrop };
    });
    const limited = { memory: true, processes: true, cores: true, isReadOnly: true, dropped: ['ALL'] };
    expect(rows).toEqual(containers.map(({ Name }) => ({ Name, ...limited })));
    const servers = ['postgres', 'rabbitmq', 'payments', 'edge'];
    const effective = await Promise.all(
      servers.map((server) => {
        const script = `for p in /proc/[0-9]*; do [ $p = /proc/$$ ] && continue; case "$(tr '\\0' ' ' < $p/cmdline)" in postgres*|*beam.smp*|node*) grep CapEff $p/status;; esac; done`;
        return system.compose('exec', '--no-TTY', server, 'bash', '-c', script);
      }),
    );
    const kinds = effective.map((lines) => [...new Set(lines.trim().split('\n'))]);
    expect(kinds).toEqual(servers.map(() => ['CapEff:\t0000000000000000']));
  });

  it('no container of a service can reach the other side of a network that it is not in; the image lists what is in it', async () => {
    const reach = (from: string, host: string, port: number) =>
      system
        .script(
          from,
          `import { connect } from 'node:net'; connect(${String(port)}, '${host}').on('connect', () => process.exit(0)).on('error', () => process.exit(3))`,
        )
        .then(
          () => true,
          () => false,
        );
    const ways = [
      ['payments', 'rabbitmq', 5672, true],
      ['gateway', 'rabbitmq', 5672, false],
      ['demo-receiver', 'postgres', 5432, false],
      ['edge', 'postgres', 5432, false],
    ] as const;
    const found = await Promise.all(ways.map(async ([from, to, port]) => [from, to, port, await reach(from, to, port)]));
    expect(found).toEqual(ways);
    const sbom = JSON.parse(await system.compose('exec', '--no-TTY', 'payments', 'cat', '/app/sbom.cdx.json')) as {
      bomFormat: string;
      components: { name: string }[];
    };
    expect(sbom.bomFormat).toBe('CycloneDX');
    expect(sbom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'pg', 'amqplib']));
  });

  it('19: the edge passes over a replica that does not listen, and closes where none does', async () => {
    const server = `require('node:http').createServer((_, answer) => answer.end()).listen(7777)`;
    await system.compose('exec', '--detach', '--no-TTY', '--index', '2', 'gateway', 'node', '-e', server);
    const text = `
      import { spawn } from 'node:child_process';
      const edge = spawn('node', ['tools/compose/edge.ts', '7777=gateway:7777', '7778=gateway:7778']);
      const status = (port) => fetch('http://127.0.0.1:' + port, { headers: { connection: 'close' } }).then(({ status }) => status, () => 'closed');
      for (const end = Date.now() + 240000; Date.now() < end && await status(7777) === 'closed';);
      console.log(JSON.stringify([await status(7777), await status(7777), await status(7777), await status(7778)]));
      edge.kill('SIGKILL');`;
    expect(JSON.parse(await system.script('edge', text))).toEqual([200, 200, 200, 'closed']);
  });

  it('19: every published port stays open while the first replica of each service is gone', async () => {
    const first = (await system.containers()).filter(
      (one) => REPLICATED.some((service) => service === serviceOf(one)) && replicaOf(one) === 1,
    );
    await docker('stop', '--time', '20', ...first.map(({ Id }) => Id));
    await askBothGateways();
    const { id } = await paidCard(CARDS.approved);
    const qr = await paidQr('10.50');
    const received = await system.told({ [id]: 'payment.completed', [qr.id]: 'payment.completed' });
    expect(received.filter(({ verified }) => !verified)).toEqual([]);
    expect((await olga('GET', '/api/session')).status).toBe(200);
  });

  it('19: down and up again keeps payments, bindings, payouts, balance and events, and goes on with one replica of each', async () => {
    /** Everything that the partner and the operators can read about what was done. */
    const everything = async () => ({
      cards: await Promise.all(made.cards.map((id) => client.readCardPayment(id))),
      refunds: await Promise.all(made.cards.map((id) => client.listCardRefunds(id))),
      codes: await client.listQrPayments(demo.paymentPoints.qr),
      binding: await client.readBinding(made.bindingId),
      withdrawals: await withdrawals(),
      balance: await balance(),
      endpoints: await client.readEndpoints(),
      events: JSON.parse((await olga('GET', '/api/notifier/events?limit=100')).text) as { items: EventRow[] },
    });
    const before = await until('every event to be delivered', async () => {
      const all = await everything();
      return all.events.items.some(({ status }) => status === 'WAITING') ? undefined : all;
    });
    // Withdrawal events are stored as well for partners who do not receive them.
    const delivered = before.events.items.filter(({ status }) => status === 'DELIVERED');
    expect(new Set(delivered.map(({ type }) => type))).toEqual(new Set(EVENTS));

    await system.down();
    await system.compose('up', '--wait');
    expect(await everything()).toEqual(before);

    const sofia = await signIn('sofia');
    const [event] = delivered;
    expect((await sofia('POST', `/api/notifier/events/${event?.eventId ?? ''}/resend`)).status).toBe(202);
    const { id } = await paidCard(CARDS.approved);
    const received = await system.told({ [id]: 'payment.completed', [event?.eventId ?? '']: event?.type ?? '' });
    expect(received.map(({ verified }) => verified)).toEqual([true, true]);
  });
});

/**
 * Operations that the client covers besides the contract's own table: spec/decisions#refunds and
 * spec/decisions#qr-payment.
 */
const BESIDE_THE_CONTRACT = ['GET /api/qr/{id}', 'POST /api/card/{id}/refunds', 'POST /api/qr/{id}/refunds'];

/** As the console shows an event. */
type EventRow = { readonly eventId: string; readonly type: string; readonly status: string };

/** The difference of two decimal strings with six decimal places. */
function minus(amount: string, less: string): string {
  const micro = (text: string) => BigInt(text.replace('.', ''));
  const digits = String(micro(amount) - micro(less)).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/**
 * The processes of root among a container's first one and its descendants. Health checks are not included: in the
 * servers' images they begin as root.
 */
async function rootsOf(id: string, firstPid: number): Promise<readonly string[]> {
  const [, ...rows] = (await docker('top', id, '-eo', 'pid,ppid,uid,args')).trim().split('\n');
  const processes = rows.map((row) => {
    const [pid = 0, parent = 0, uid = 0] = row.trim().split(/\s+/).slice(0, 3).map(Number);
    return { pid, parent, uid, row };
  });
  const own = new Set([firstPid]);
  for (let size = 0; size < own.size;) {
    size = own.size;
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid);
  }
  const found = processes.filter(({ pid }) => own.has(pid));
  return found.length === 0 ? ['no process at all'] : found.filter(({ uid }) => uid === 0).map(({ row }) => row);
}
