import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readXlsx } from 'hucre/xlsx';
import { cookiesOf, SECOND_ADMIN, startTestConsole, type TestConsole } from '../../test/app.ts';

let t: TestConsole;
let finance: string;
beforeAll(async () => {
  t = await startTestConsole();
  finance = await t.cookieOf('finance');
});
beforeEach(() => {
  t.received.length = 0;
  t.answer = () => ({ status: 200, text: '{}' });
});
afterAll(() => t.close());

const ID = '0b6ab0b1-6c1c-4b8e-9d5c-2f0b8a1c9a11';
const TAKE = `/api/withdrawals/withdrawals/${ID}/take`;
const auditLog = () =>
  t.rows('select operator, role, action, subject_id, kind, status, before, after, request_id from audit order by position');

describe('a forwarded call', () => {
  it('brings the operator’s login, the request id, the query and the body as they are, and takes the answer as it is', async () => {
    t.answer = ({ method }) => ({ status: 200, text: `{"amountUsdt": "0.100000", "method":"${method}"}` });
    const list = await t.call('GET', '/api/withdrawals/withdrawals?status=REQUESTED&storeId=a%26b', {
      cookie: finance,
    });
    expect(list.text).toBe('{"amountUsdt": "0.100000", "method":"GET"}');
    expect(t.received).toEqual([
      expect.objectContaining({
        service: 'withdrawals',
        method: 'GET',
        path: '/withdrawals?status=REQUESTED&storeId=a%26b',
        login: 'finance@example.com',
        requestId: list.headers.get('x-request-id'),
      }),
    ]);
    const raw = '{ "revision": 1 }';
    await t.call('POST', TAKE, { cookie: finance, raw });
    expect(t.received.at(-1)).toMatchObject({ method: 'POST', path: `/withdrawals/${ID}/take`, body: raw });
  });

  it('vouches for who acts: with role, session, and those who changed his account within a day (S4)', async () => {
    await t.call('POST', TAKE, { cookie: finance, body: { revision: 1 } });
    const own = { login: 'finance@example.com', role: 'finance', sessionId: expect.stringMatching(/.+/) };
    expect(t.received.at(-1)?.operator).toEqual({ ...own, notIndependentOf: [] });

    const [admin, login] = [await t.cookieOf('admin'), 'operator@example.com'];
    const change = await t.call('POST', `/api/operators/${login}/role`, { cookie: admin, body: { role: 'finance' } });
    const confirm = `/api/account-changes/${String(change.body['id'])}/confirm`;
    expect((await t.call('POST', confirm, { cookie: await t.secondAdmin() })).status).toBe(200);
    await t.call('POST', TAKE, { cookie: cookiesOf(await t.signIn(login)), body: { revision: 1 } });
    expect(t.received.at(-1)?.operator).toMatchObject({ login, notIndependentOf: ['admin@example.com', SECOND_ADMIN] });
  });

  it('keeps every parameter in its place', async () => {
    for (const id of ['..%2F..%2Fpartners', '%2e%2e', 'a%3Fb', 'a%23b']) {
      await t.call('GET', `/api/withdrawals/withdrawals/${id}`, { cookie: finance });
    }
    const paths = t.received.map(({ path }) => path);
    expect(paths).toEqual(['/withdrawals/..%2F..%2Fpartners', '/withdrawals/a%3Fb', '/withdrawals/a%23b']);
  });

  it('leaves two rows in the audit log: before it is asked, and with the answer', async () => {
    t.answer = ({ method }) =>
      method === 'GET'
        ? { status: 200, text: '{"status":"REQUESTED","revision":1,"history":[{}]}' }
        : { status: 200, text: '{"status":"IN_REVIEW","revision":2}' };
    const answer = await t.call('POST', TAKE, { cookie: finance, body: { revision: 1 } });
    const who = {
      operator: 'finance@example.com',
      role: 'finance',
      action: 'withdrawals.take',
      subject_id: ID,
      request_id: answer.headers.get('x-request-id'),
    };
    expect((await auditLog()).slice(-2)).toEqual([
      { ...who, kind: 'ASKED', status: null, before: { status: 'REQUESTED', revision: 1 }, after: { revision: 1 } },
      { ...who, kind: 'ANSWERED', status: 200, before: null, after: { status: 'IN_REVIEW', revision: 2 } },
    ]);
  });

  it.each([
    ['its owner', { partnerID: 'partner-a', storeId: 'store-9', name: 'Tea' }, 'partner-a'],
    ['"new", where nobody owns it', ['partnerID'], 'new'],
  ])('names in the audit log, for something new, %s', async (_what, asked, subject) => {
    const cookie = await t.cookieOf('admin');
    await t.call('POST', '/api/payments/stores', { cookie, raw: JSON.stringify(asked) });
    expect((await auditLog()).slice(-2)).toMatchObject([
      { kind: 'ASKED', action: 'stores.create', subject_id: subject },
      { kind: 'ANSWERED', subject_id: subject },
    ]);
  });

  it('hands on a refusal with its whole body, and records it', async () => {
    const text = '{"error":"somebody else changed this in the meantime","code":"STALE_REVISION","current":{"revision":3}}';
    t.answer = ({ method }) => ({ status: method === 'GET' ? 200 : 409, text });
    const answer = await t.call('POST', TAKE, { cookie: finance, body: { revision: 1 } });
    expect([answer.status, answer.text]).toEqual([409, text]);
    expect((await auditLog()).at(-1)).toMatchObject({
      kind: 'ANSWERED',
      status: 409,
      after: { current: { revision: 3 } },
    });
  });

  it('keeps in the audit log neither who a buyer is nor what was typed about one, however deep: nothing there is ever erased', async () => {
    const cookie = await t.cookieOf('operator');
    const payment = {
      status: 'COMPLETED',
      customerId: 'buyer-4711',
      description: 'For Ada Lovelace',
      cardMask: '411111******1111',
      refunds: [{ refundId: ID, reason: 'Ada changed her mind' }],
      exceptions: [{ exceptionId: ID, note: 'Ada called' }],
    };
    t.answer = () => ({ status: 200, text: JSON.stringify(payment) });
    const asked = { seenVersion: 1, key: ID, reason: 'Ada asked for it' };
    const answer = await t.call('POST', `/api/payments/payments/${ID}/refunds`, { cookie, body: asked });
    // The service and the operator get all of it.
    expect([t.received.at(-1)?.body, answer.body]).toEqual([JSON.stringify(asked), payment]);
    const kept = { status: 'COMPLETED', refunds: [{ refundId: ID }], exceptions: [{ exceptionId: ID }] };
    expect((await auditLog()).slice(-2)).toMatchObject([
      { kind: 'ASKED', before: kept, after: { seenVersion: 1, key: ID } },
      { kind: 'ANSWERED', after: kept },
    ]);
    expect(JSON.stringify(await auditLog())).not.toMatch(/Ada|buyer-4711|411111/);
    // What is sent to a service without buyers stays: why a request was rejected.
    const reject = `/api/withdrawals/withdrawals/${ID}/reject`;
    await t.call('POST', reject, { cookie: finance, body: { revision: 1, reason: 'no contract' } });
    expect((await auditLog()).at(-2)?.['after']).toEqual({ revision: 1, reason: 'no contract' });
  });

  it('503 where the service takes our token no more: nobody is signed out by it, and the audit log says it was asked', async () => {
    t.answer = ({ method }) => (method === 'GET' ? { status: 200, text: '{}' } : { status: 401, text: '{}' });
    const answer = await t.call('POST', TAKE, { cookie: finance, body: { revision: 1 } });
    expect([answer.status, answer.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await auditLog()).at(-1)).toMatchObject({ kind: 'ASKED', action: 'withdrawals.take' });
  });

  it('503 OUTCOME_UNKNOWN for an action that got no answer: it may have been carried out (V1)', async () => {
    t.answer = ({ method }) => (method === 'GET' ? { status: 200, text: '{}' } : Promise.reject(new Error('gone')));
    const answer = await t.call('POST', TAKE, { cookie: finance, body: { revision: 1 } });
    expect([answer.status, answer.body['code']]).toEqual([503, 'OUTCOME_UNKNOWN']);
  });

  it('404 for what is not listed', async () => {
    for (const path of ['/api/withdrawals/partners/p', '/api/bindings/x', '/api/withdrawals', '/api/nothing'])
      expect((await t.call('GET', path, { cookie: finance })).status).toBe(404);
    expect(t.received).toEqual([]);
  });
});

describe('forbidden content (S7)', () => {
  const REFUND = `/api/payments/payments/${ID}/refunds`;
  const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const everything = async () => JSON.stringify(await t.rows('select * from audit'));

  it.each([
    ['a card number and its code', REFUND, { reason: 'buyer read me card 4000 0000 0000 0002 cvv 123' }, 'reason'],
    ['a card’s code', REFUND, { reason: 'the cvv is 987' }, 'reason'],
    ['a seed phrase', `/api/withdrawals/withdrawals/${ID}/reject`, { revision: 1, reason: PHRASE }, 'reason'],
    ['a wallet address', `/api/withdrawals/withdrawals/${ID}/reject`, { reason: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, 'reason'],
    [
      'a key',
      TAKE,
      { revision: 1, unknown: { deep: ['e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'] } },
      'unknown.deep.0',
    ],
    ['card data in another spelling (N2)', REFUND, { reason: 'buyer read me 4111.1111.1111.1111 security code 123' }, 'reason'],
    ['a card number as a number', TAKE, { revision: 4111111111111111 }, 'revision'],
    ['a card number as a name', TAKE, { 'card 4111 1111 1111 1111': 1 }, 'body'],
    [
      'a card number beside a hash',
      `/api/withdrawals/withdrawals/${ID}/complete`,
      { transferReference: '4111111111111111' },
      'transferReference',
    ],
  ])('400 for %s before anything is kept or asked (S7)', async (_title, path, body, field) => {
    const before = await everything();
    const answer = await t.call('POST', path, { cookie: finance, body });
    expect([answer.status, answer.body['details']]).toEqual([400, [expect.objectContaining({ field })]]);
    expect([await everything(), t.received]).toEqual([before, []]);
  });

  it('400 for a card number in the path of an action (S7)', async () => {
    const before = await everything();
    const answer = await t.call('POST', '/api/withdrawals/withdrawals/4111111111111111/take', { cookie: finance, body: { revision: 1 } });
    expect([answer.status, await everything(), t.received]).toEqual([400, before, []]);
  });

  it('takes the hash of a transfer and a public key, which only look like secrets (S7)', async () => {
    const complete = {
      revision: 1,
      transferReference: 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262',
    };
    expect((await t.call('POST', `/api/withdrawals/withdrawals/${ID}/complete`, { cookie: finance, body: complete })).status).toBe(200);
    const admin = await t.cookieOf('admin');
    const publicKey = `ssh-ed25519 ${'A'.repeat(68)} me@shop`;
    expect((await t.call('POST', '/api/gateway/partners/p/keys', { cookie: admin, body: { publicKey } })).status).toBe(200);
  });
});

describe('the audit log', () => {
  it.each([
    ['update', `update audit set operator = 'x'`],
    ['delete', 'delete from audit'],
    ['truncate', 'truncate audit'],
    ['forget an operator', 'delete from operators'],
  ])('the service’s own role may not %s', async (_title, statement) => {
    await expect(t.rows(statement)).rejects.toThrow(/permission denied/);
  });

  it('is read page by page, the newest first, with filters', async () => {
    for (let n = 0; n < 3; n += 1) await t.call('POST', TAKE, { cookie: finance, body: { revision: 1 } });
    const read = async (query: string) => (await t.call('GET', `/api/audit?${query}`, { cookie: finance })).body;
    const first = await read('limit=2&action=withdrawals.take');
    expect((first['items'] as unknown[]).length).toBe(2);
    const second = await read(`limit=2&action=withdrawals.take&before=${String(first['next'])}`);
    const positions = [...(first['items'] as { position: string }[]), ...(second['items'] as { position: string }[])];
    expect(new Set(positions.map(({ position }) => position)).size).toBe(4);
    expect((await read('operator=nobody@example.com'))['items']).toEqual([]);
  });

  it.each(['limit=0', 'limit=101', 'limit=1e1', 'colour=red'])('400 for a list with %s', async (query) => {
    expect((await t.call('GET', `/api/audit?${query}`, { cookie: finance })).status).toBe(400);
  });
});

describe('the CSV of withdrawals', () => {
  const item = (id: string, statusReason?: string) => ({
    withdrawalRequestId: id,
    status: 'REJECTED',
    partnerID: 'p',
    storeId: 's',
    beneficiaryRef: 'b',
    amountUsdt: '0.100000',
    takenBy: null,
    reviewedBy: null,
    completedBy: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    revision: 2,
    takenUntil: null,
    ...(statusReason === undefined ? {} : { statusReason }),
  });

  it('has every page of the filtered list, amounts as they are, and no formula', async () => {
    t.answer = ({ path }) => ({
      status: 200,
      text: JSON.stringify(
        path.includes('pageToken=two')
          ? { items: [item('b', '=HYPERLINK("http://evil")')], nextPageToken: null }
          : { items: [item('a')], nextPageToken: 'two' },
      ),
    });
    const { text, headers } = await t.call('GET', '/api/withdrawals.csv?status=REJECTED', { cookie: finance });
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain('a,REJECTED,p,s,b,0.100000,');
    expect(lines[2]).toContain('"\'=HYPERLINK(""http://evil"")"');
    expect(headers.get('content-disposition')).toContain('withdrawals.csv');
    expect(t.received.map(({ path }) => path)).toEqual([
      '/withdrawals?status=REJECTED&limit=100',
      '/withdrawals?status=REJECTED&limit=100&pageToken=two',
    ]);
  });

  const downloaded = async (path: string, language: string, more: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${t.url}${path}`, {
      headers: { cookie: finance, 'accept-language': language, ...more },
    });
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it.each([
    ['ru', '', "-7;REJECTED;p;s;-1:b;1234567,100000;;'＝1;"],
    ['en', '', "-7,REJECTED,p,s,-1:b,1234567.100000,,'＝1,"],
    ['en', 'language=ru', "-7;REJECTED;p;s;-1:b;1234567,100000;;'＝1;"],
  ])('is for the spreadsheet of its reader: %s %s (K8)', async (language, chosen, line) => {
    const odd = { ...item('-7', '＝1'), beneficiaryRef: '-1:b', amountUsdt: '1234567.100000' };
    t.answer = () => ({ status: 200, text: JSON.stringify({ items: [odd], nextPageToken: null }) });
    const { bytes } = await downloaded('/api/withdrawals.csv', language, { cookie: `${finance}; ${chosen}` });
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(bytes.subarray(3).toString()).toContain(`\r\n${line}`);
  });

  it('as Excel: ids as text to the letter, amounts as numbers, every page, on record (K8)', async () => {
    const ids = ['-7', '0012', '1e5', '=1+1', '＝1', '_x0041_', '2026-11-28', ' a ', '👩\u200d👦'];
    t.answer = ({ path }) => ({
      status: 200,
      text: JSON.stringify(
        path.includes('pageToken=two')
          ? { items: [{ ...item('last'), amountUsdt: '999999999999.999999' }], nextPageToken: null }
          : { items: ids.map((id) => item(id, 'a\nb')), nextPageToken: 'two' },
      ),
    });
    const { headers, bytes } = await downloaded('/api/withdrawals.xlsx?status=REJECTED', 'ru');
    expect(headers.get('content-disposition')).toBe('attachment; filename="withdrawals.xlsx"');
    const { sheets } = await readXlsx(bytes, { readStyles: true });
    const [header, ...rows] = sheets[0]?.rows ?? [];
    expect(header?.slice(0, 6)).toEqual(['withdrawalRequestId', 'status', 'partnerID', 'storeId', 'beneficiaryRef', 'amountUsdt']);
    expect(rows.map((cells) => cells[0])).toEqual([...ids, 'last']);
    expect(rows[0]?.[5]).toBe(0.1);
    // More digits than a double keeps stay text.
    expect(rows.at(-1)?.[5]).toBe('999999999999.999999');
    expect(rows[0]?.[7]).toBe('a\nb');
    const kept = await t.rows(`select after from audit where action = 'withdrawals.export' order by position desc limit 1`);
    expect(kept).toEqual([{ after: { rows: ids.length + 1, isComplete: true } }]);
  });

  it('as Excel: cut where the service stops answering, refused where it refuses (K8)', async () => {
    t.answer = ({ path }) =>
      path.includes('pageToken')
        ? { status: 500, text: '{}' }
        : { status: 200, text: JSON.stringify({ items: [item('a')], nextPageToken: 'two' }) };
    await expect(downloaded('/api/withdrawals.xlsx', 'en')).rejects.toThrow();
    t.answer = () => ({ status: 400, text: '{"code":"VALIDATION_FAILED"}' });
    expect((await t.call('GET', '/api/withdrawals.xlsx?colour=red', { cookie: finance })).status).toBe(400);
  });

  it('the audit log keeps what was searched for without what looks like a card (S7)', async () => {
    t.answer = () => ({ status: 200, text: JSON.stringify({ items: [], nextPageToken: null }) });
    await t.call('GET', '/api/withdrawals.csv?storeId=4111111111111111', { cookie: finance });
    expect(t.received.at(-1)?.path).toContain('storeId=4111111111111111');
    expect(JSON.stringify(await t.rows('select * from audit'))).not.toContain('4111111111111111');
  });

  it('400 with the service’s own words for a filter that is none', async () => {
    t.answer = () => ({ status: 400, text: '{"code":"VALIDATION_FAILED"}' });
    const answer = await t.call('GET', '/api/withdrawals.csv?colour=red', { cookie: finance });
    expect([answer.status, answer.text]).toEqual([400, '{"code":"VALIDATION_FAILED"}']);
  });

  it('cuts the download where the service stops answering: half a file never looks whole', async () => {
    t.answer = ({ path }) =>
      path.includes('pageToken')
        ? { status: 500, text: '{}' }
        : { status: 200, text: JSON.stringify({ items: [item('a')], nextPageToken: 'two' }) };
    await expect(t.call('GET', '/api/withdrawals.csv', { cookie: finance })).rejects.toThrow();
  });
});
