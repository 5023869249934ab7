import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startApiServer, type ApiServer } from '../../sdk/test/api-server.ts';
import { runHere, writeProfile } from '../test/run-cli.ts';
import { generateKeys } from '@pay/sdk/keys.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
const AT = '2026-11-23T00:10:00.000Z';
const day = {
  date: '2026-11-22',
  currency: 'RUB',
  openingBalance: '-1.00',
  payments: '10.00',
  recurringCharges: '0.00',
  refunds: '0.00',
  fees: '-0.25',
  closingBalance: '8.75',
  lines: 1,
  parts: 1,
  madeAt: AT,
};
const line = {
  line: 1,
  bookedAt: AT,
  type: 'PAYMENT',
  orderId: 'p-1',
  merchantOrderId: 'A-1',
  refundId: null,
  merchantRefundId: null,
  paymentPointID: 'p',
  paymentMethod: 'CARD',
  amount: '10.00',
  fee: '-0.25',
  net: '9.75',
  balance: '8.75',
};

let server: ApiServer;
let profile: ReturnType<typeof writeProfile>;
let seen = 0;
const pay = (...args: readonly string[]) => runHere(['--profile', profile.file, 'registers', ...args]);
const sent = () => server.requests.slice(seen).map(({ method, target }) => [method, target]);

beforeAll(async () => {
  server = await startApiServer(partner);
  profile = writeProfile({ baseUrl: server.url, ...partner, paymentPoints: { card: 'a', qr: 'b' } }, keys.privateKeyPem);
});
afterAll(async () => {
  await server.close();
  profile.remove();
});
beforeEach(() => {
  seen = server.requests.length;
});

it('19: list by days, and get with both balances', async () => {
  server.reply({ status: 200, body: { items: [day], nextPageToken: 't' } });
  const { exitCode, stdout } = await pay('list', '--from', '2026-11-01', '--limit', '5');
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/2026-11-22 {2}-1\.00 {2}8\.75 {2}1 lines[\s\S]*more: --page-token t/)]);
  server.reply({ status: 200, body: { ...day, part: 1, items: [line] } });
  expect((await pay('get', '2026-11-22')).stdout).toMatch(/opening -1\.00\n.*PAYMENT.*\nclosing 8\.75\npart 1 of 1/);
  expect(sent()).toEqual([
    ['GET', '/api/registers/RUB?limit=5&from=2026-11-01'],
    ['GET', '/api/registers/RUB/2026-11-22?part=1'],
  ]);
});

it('19: --csv is the file as the service wrote it', async () => {
  const text = 'line,type\r\n1,PAYMENT\r\n';
  server.reply({ status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, text });
  expect((await pay('get', '2026-11-22', '--csv', '--part', '2')).stdout).toBe(text);
  expect(sent()).toEqual([['GET', '/api/registers/RUB/2026-11-22?part=2&format=csv']]);
  expect((await pay('get', '2026-11-22', '--part', 'last')).exitCode).toBe(2);
});

it('19: --currency USDT lists and gets days of the other balance', async () => {
  const usdt = {
    date: '2026-11-22',
    currency: 'USDT',
    openingAvailable: '100.000000',
    openingReserved: '0.000000',
    funded: '0.000000',
    requested: '12.500000',
    released: '0.000000',
    completed: '0.000000',
    closingAvailable: '87.500000',
    closingReserved: '12.500000',
    lines: 1,
    parts: 1,
    madeAt: AT,
  };
  const asked = {
    line: 1,
    bookedAt: AT,
    type: 'WITHDRAWAL_REQUESTED',
    storeId: 's',
    withdrawalRequestId: 'w-1',
    fundingId: null,
    beneficiaryRef: 'b',
    transferReference: null,
    amount: '12.500000',
    availableChange: '-12.500000',
    reservedChange: '12.500000',
    available: '87.500000',
    reserved: '12.500000',
  };
  server.reply({ status: 200, body: { items: [usdt], nextPageToken: null } });
  expect((await pay('list', '--currency', 'USDT')).stdout).toMatch(
    /2026-11-22 {2}100\.000000 \+ 0\.000000 reserved {2}87\.500000 \+ 12\.500000 reserved {2}1 lines/,
  );
  server.reply({ status: 200, body: { ...usdt, part: 1, items: [asked] } });
  expect((await pay('get', '2026-11-22', '--currency', 'USDT')).stdout).toMatch(
    /opening 100\.000000 \+ 0\.000000 reserved\n.*WITHDRAWAL_REQUESTED {2}w-1.*\nclosing 87\.500000 \+ 12\.500000 reserved\npart 1 of 1/,
  );
  server.reply({ status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, text: 'line\r\n' });
  expect((await pay('get', '2026-11-22', '--currency', 'USDT', '--csv')).stdout).toBe('line\r\n');
  expect(sent()).toEqual([
    ['GET', '/api/registers/USDT'],
    ['GET', '/api/registers/USDT/2026-11-22?part=1'],
    ['GET', '/api/registers/USDT/2026-11-22?part=1&format=csv'],
  ]);
  expect((await pay('list', '--currency', 'EUR')).exitCode).toBe(2);
});
