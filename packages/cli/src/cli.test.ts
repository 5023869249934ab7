import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyTexts, requestSigning } from '../../signing/test/vectors.ts';
import { startApiServer, type ApiServer } from '../../sdk/test/api-server.ts';
import { EVENT as event } from '../../sdk/test/callbacks.ts';
import { runCli, runHere, spawnCli, writeProfile } from '../test/run-cli.ts';
import { signTestCallback } from '@pay/sdk/callbacks.ts';
import { generateKeys } from '@pay/sdk/keys.ts';
import { freshMoment, readIdentity, signRequest } from '@pay/sdk/sign.ts';
import { verifyText } from '@pay/signing/ed25519.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
const callbackKey = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const body = '{"orderID":"A-1","amount":10.50}';

describe('the command line', () => {
  let server: ApiServer;
  let profile: ReturnType<typeof writeProfile>;
  let seen = 0;
  const pay = (args: readonly string[]) => runHere(['--profile', profile.file, ...args]);
  const payAlone = (args: readonly string[], given: { stdin?: string; env?: Readonly<Record<string, string>> } = {}) =>
    runCli(['--profile', profile.file, ...args], given);

  beforeAll(async () => {
    server = await startApiServer(partner);
    profile = writeProfile(
      {
        baseUrl: server.url,
        ...partner,
        callbackKeyId: callbackKey.keyId,
        callbackSecret: callbackKey.secret,
        paymentPoints: { card: 'pp-1' },
      },
      keys.privateKeyPem,
    );
  });
  afterAll(async () => {
    await server.close();
    profile.remove();
  });
  beforeEach(() => {
    seen = server.requests.length;
  });
  const sent = () => server.requests.slice(seen);

  describe('portal sign', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const text = `pay-portal-sign-in https://portal.test partner-a ${id} 2026-11-23T10:00:00.000Z`;

    it('prints the signature of a text of the portal, and where it signs in to', async () => {
      const { exitCode, stdout, stderr } = await pay(['portal', 'sign', ...text.split(' ')]);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Signs in to https://portal.test as partner-a')]);
      expect(verifyText(createPublicKey(keys.privateKeyPem), text, Buffer.from(stdout, 'base64'))).toBe(true);
    });

    it.each([
      ['a request', '1764064220 nonce POST /api/card'],
      ['another partner', text.replace('partner-a', 'partner-b')],
      ['a text with more behind it', `${text} and more`],
    ])('2: does not sign %s', async (_name, other) => {
      expect(await pay(['portal', 'sign', other])).toMatchObject({ exitCode: 2, stdout: '' });
    });
  });

  describe('exit status', () => {
    it.each([
      ['0: help', ['--help'], 0],
      ['0: version', ['--version'], 0],
      ['2: a command that is none', ['dance'], 2],
      ['2: an option that is none', ['sandbox', 'cards', '--dance'], 2],
      ['2: a profile that is not there', ['--profile', '/nowhere.json', 'doctor'], 2],
    ])('%s', async (_name, args, exitCode) => {
      expect(await runHere(args)).toMatchObject({ exitCode });
    });

    it('1: refused, with code and request id on one line, and the whole body with --json', async () => {
      const refusal = { error: 'not found', code: 'NOT_FOUND', requestId: 'r-1' };
      server.reply({ status: 404, body: refusal });
      const human = await pay(['card', 'get', 'x']);
      expect(human).toMatchObject({ exitCode: 1, stdout: '', stderr: '404 NOT_FOUND: not found (request r-1)\n' });
      const json = await pay(['card', 'get', 'x', '--json']);
      expect(json.exitCode).toBe(1);
      expect(JSON.parse(json.stdout)).toEqual(refusal);
    });

    it('1: too early for a charge, and from when on it is not', async () => {
      const nextChargeAt = '2026-12-21T08:30:20.258Z';
      server.reply({ status: 409, body: { error: 'too early', code: 'PERIOD_NOT_ELAPSED', nextChargeAt } });
      const { exitCode, stderr } = await pay(['recurring', 'create', 'b-1', '--amount', '990.00']);
      expect([exitCode, stderr]).toEqual([1, `409 PERIOD_NOT_ELAPSED: too early; not before ${nextChargeAt}\n`]);
    });

    it('141: nobody reads its output on, and it says nothing of that', async () => {
      const child = spawnCli(['--help']);
      child.stdout?.destroy();
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      await once(child, 'close');
      expect([child.exitCode, stderr]).toEqual([141, '']);
    });

    it('2: a wrong command line, also where nobody reads why', async () => {
      const child = spawnCli(['dance']);
      child.stderr?.destroy();
      await once(child, 'exit');
      expect(child.exitCode).toBe(2);
    });

    it('3: nobody answers, and the key that a repeat needs', async () => {
      const nobody = writeProfile({ baseUrl: 'http://127.0.0.1:1', ...partner }, keys.privateKeyPem);
      const args = ['--profile', nobody.file, 'request', 'POST', '/x', '--idempotency-key', 'order-key-0000000001'];
      const { exitCode, stderr } = await runHere(args);
      expect(exitCode).toBe(3);
      expect(stderr).toContain('ECONNREFUSED');
      expect(stderr).toContain('; repeat it with --idempotency-key order-key-0000000001\n');
      nobody.remove();
    });

    it.each([
      ['a target that is no path', ['request', 'GET', 'api/card'], 'a path that begins with /'],
      ['a time that is none', ['callbacks', 'listen', '--timeout', 'soon'], '--timeout must be a number of seconds'],
      ['a port that is none', ['callbacks', 'receive', '--port', 'abc'], '--port must be a number from 0 to 65535'],
    ])('2: %s, before anything is sent', async (_name, args, says) => {
      const { exitCode, stderr } = await pay(args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(says);
      expect(sent()).toEqual([]);
    });
  });

  it('keys: writes a private key for its owner only, and never over another', async () => {
    const file = join(profile.folder, 'new.pem');
    const { exitCode, stdout } = await pay(['keys', 'generate', '--out', file]);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('PRIVATE');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    expect((await pay(['keys', 'generate', '--out', file])).exitCode).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(before);
    const inspected = await pay(['keys', 'inspect', file, '--json']);
    expect(JSON.parse(inspected.stdout)).toMatchObject({ publicKey: readFileSync(`${file}.pub`, 'utf8').trim() });
    expect(inspected.stdout).not.toContain('PRIVATE');
  });

  describe('with the text of a key', () => {
    const { partnerID, publicKeyOpenSsh: publicKey, privateKeyPkcs8Pem } = requestSigning;
    /** The key of a signed request, or what is said of the text. */
    const told = async (own: string, pem: string) => {
      const given = writeProfile({ baseUrl: server.url, partnerID, publicKey: own }, pem);
      const { stdout, stderr } = await runHere(['--profile', given.file, 'sign', 'GET', '/api/card']);
      given.remove();
      return stderr === '' ? (JSON.parse(stdout) as { readonly key: string }).key : stderr.trim();
    };

    it.each(keyTexts.private)('private: $name (K5)', async ({ text, says }) => {
      expect(await told(publicKey, text)).toBe(says === undefined ? publicKey : keyTexts.sentences.private[says]);
    });

    // The profile needs a public key that is not empty.
    it.each(keyTexts.public.filter(({ text }) => text !== ''))('public: $name (K5)', async ({ text, says }) => {
      expect(await told(text, privateKeyPkcs8Pem)).toBe(says === undefined ? publicKey : keyTexts.sentences.public[says]);
    });
  });

  it('keys convert: reads an OpenSSH private key from stdin', async () => {
    const openSsh = readFileSync(new URL('../../sdk/test/openssh-ed25519', import.meta.url), 'utf8');
    const { stdout } = await payAlone(['keys', 'convert', '-'], { stdin: openSsh });
    expect(stdout).toContain('BEGIN PRIVATE KEY');
    expect(stdout).toContain('SHA256:ky/3DuHrwQui5pfGgA3eV++Tai7t7Fpohr/XvsqSVhw');
  });

  it('sign --explain: the seven parts, line feeds made visible, none behind the last', async () => {
    const args = [
      'sign',
      'get',
      '/v1/bindings?status=ACTIVE&customerId=c1',
      '--timestamp',
      '1790000002',
      '--nonce',
      'nonce-000000000002',
      '--explain',
    ];
    const { stdout } = await pay(args);
    const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '));
    expect(lines.slice(0, 7)).toEqual([
      '1  timestamp  1790000002␊',
      '2  nonce  nonce-000000000002␊',
      '3  METHOD  GET␊',
      '4  ESCAPED_PATH  /v1/bindings␊',
      '5  CANONICAL_QUERY  customerId=c1&status=ACTIVE␊',
      '6  Idempotency-Key  ␊',
      '7  SHA-256 of the body  e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ]);
  });

  it('request: sends the body byte for byte and prints the answer as it came', async () => {
    server.reply({ status: 201, text: '{"amount": 10.50}' });
    const { stdout, exitCode } = await pay(['request', 'post', '/api/card', '--body', body, '--idempotency-key', 'order-key-0000000001']);
    expect({ stdout, exitCode }).toEqual({ stdout: '{"amount": 10.50}\n', exitCode: 0 });
    expect(sent()).toMatchObject([{ method: 'POST', target: '/api/card', body, idempotencyKey: 'order-key-0000000001' }]);
  });

  it('curl: the printed command is one that the service takes', async () => {
    server.reply({ status: 200, body: {} });
    const { stdout } = await pay(['curl', 'POST', '/api/card?note=it%27s', '--body', `{"description":"it's"}`, '--json']);
    const { command } = JSON.parse(stdout) as { command: string };
    // Lets the shell parse the words, so that the machine does not need curl.
    const words = [...command.matchAll(/'((?:[^']|'\\'')*)'/g)].map(([, word]) => (word ?? '').replaceAll(`'\\''`, "'"));
    const [url = '', authorization = '', idempotencyKey = '', , data = ''] = words;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: authorization.slice(15),
        'Idempotency-Key': idempotencyKey.slice(17),
        'Content-Type': 'application/json',
      },
      body: data,
    });
    expect(response.status).toBe(200);
    expect(sent()).toMatchObject([{ body: `{"description":"it's"}` }]);
  });

  it('sign: makes a key for a POST and tells it, so that the header can be sent', async () => {
    const { stdout, stderr } = await pay(['sign', 'POST', '/api/card/x/cancel']);
    const [, key = ''] = /^Idempotency-Key: (\S+)\n$/.exec(stderr) ?? [];
    expect(key).toMatch(/^[\x21-\x7e]{16,128}$/);
    server.reply({ status: 200, body: {} });
    const headers = { Authorization: stdout.trim(), 'Idempotency-Key': key };
    expect((await fetch(`${server.url}/api/card/x/cancel`, { method: 'POST', headers })).status).toBe(200);
    const explained = await pay(['sign', 'POST', '/api/card/x/cancel', '--explain']);
    const [, shown] = /^6 +Idempotency-Key +(\S+)␊$/m.exec(explained.stdout) ?? [];
    expect(explained.stdout).toContain(`\nIdempotency-Key: ${shown ?? '?'}\nAuthorization: {`);
    expect(await pay(['sign', 'GET', '/api/card'])).toMatchObject({ stderr: '' });
  });

  it('--version: that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(await pay(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  describe('shows amounts in full, for people and programs', () => {
    const paymentOf = (id: string, amount: string) =>
      `{"id":"${id}","status":"COMPLETED","amount":${amount},"refundedAmount":"0.00","orderID":"A-1","createdAt":"then"}`;
    const listOf = (...payments: readonly string[]) => `{"items":[${payments.join()}],"nextPageToken":null}`;
    const LISTS = [
      ['card', 'list'],
      ['qr', 'list', '--point', 'pp-2'],
    ] as const;

    it('however the number was written', async () => {
      const written = [
        ['10.5', '10.50'],
        ['11', '11.00'],
        ['0.07', '0.07'],
        ['1000000', '1000000.00'],
      ] as const;
      server.reply({
        status: 200,
        text: listOf(...written.map(([came], index) => paymentOf(`x${String(index)}`, came))),
      });
      const { stdout } = await pay(LISTS[0]);
      for (const [index, [, shown]] of written.entries()) expect(stdout).toContain(`x${String(index)}  COMPLETED  ${shown} `);
      const json = await pay([...LISTS[0], '--json']);
      expect(JSON.parse(json.stdout)).toMatchObject({ items: written.map(([, amount]) => ({ amount })) });
    });

    it.each([
      ['card', 'get', 'x'],
      ['card', 'cancel', 'x'],
      ['card', 'create', '--amount', '10.5'],
      ['qr', 'get', 'x'],
      ['qr', 'cancel', 'x'],
      ['qr', 'create', '--amount', '10.5', '--point', 'pp-2'],
    ])('%s %s', async (...args) => {
      server.reply({ status: 200, text: paymentOf('x', '10.5') });
      expect((await pay(args)).stdout).toMatch(/^amount +10\.50$/m);
      expect(JSON.parse((await pay([...args, '--json'])).stdout)).toMatchObject({ amount: '10.50' });
    });

    it('qr list', async () => {
      server.reply({ status: 200, text: listOf(paymentOf('x', '10.5')) });
      expect((await pay(LISTS[1])).stdout).toContain('x  COMPLETED  10.50');
      expect(JSON.parse((await pay([...LISTS[1], '--json'])).stdout)).toMatchObject({ items: [{ amount: '10.50' }] });
    });

    it.each(['card', 'qr'])('%s pay that does not end in time', async (method) => {
      const form = '<form action="/"><input name="cc-number" autocomplete="cc-number"><button name="decision"></form>';
      const pages = createServer((req, res) => res.end(req.method === 'GET' ? form : ''));
      await once(pages.listen(0, '127.0.0.1'), 'listening');
      const bankUrl = `http://127.0.0.1:${String((pages.address() as AddressInfo).port)}/`;
      const payer = writeProfile({ baseUrl: server.url, ...partner, bankUrl }, keys.privateKeyPem);
      try {
        const open = { id: 'x', status: 'SUBMITTED', amount: 10.5, paymentUrl: bankUrl, nspkurl: bankUrl };
        server.reply({ status: 200, body: open });
        const args = ['--profile', payer.file, method, 'pay', 'x', '--timeout', '0', '--json'];
        const { exitCode, stdout } = await runHere(args);
        expect([exitCode, JSON.parse(stdout)]).toEqual([5, expect.objectContaining({ amount: '10.50' })]);
      } finally {
        payer.remove();
        pages.close();
      }
    });

    it('withdrawals: six digits, as the service writes them', async () => {
      const request = { withdrawalRequestId: 'w-1', status: 'REQUESTED', amountUsdt: '1.500000', createdAt: 'then' };
      server.reply({ status: 200, body: { items: [request], nextPageToken: null } }, { status: 200, body: request });
      expect((await pay(['withdrawals', 'list'])).stdout).toContain('w-1  REQUESTED  1.500000  then');
      expect((await pay(['withdrawals', 'get', 'w-1'])).stdout).toMatch(/^amountUsdt +1\.500000$/m);
    });
  });

  it('card create: the amount goes out as the number that was typed', async () => {
    server.reply({ status: 201, body: { id: 'x', amount: 1 } });
    await pay(['card', 'create', '--amount', '10.50', '--order', 'A-7']);
    expect(sent()[0]?.body).toMatch(/^\{"paymentPointID":"pp-1","orderID":"A-7","amount":10\.50,/);
  });

  it.each([
    ['card create', ['card', 'create', '--amount', '10.50']],
    ['qr create', ['qr', 'create', '--amount', '10.50', '--point', 'pp-2']],
    ['refund create', ['refund', 'create', 'p-1', '--amount', '10.50']],
    ['recurring create', ['recurring', 'create', 'b-1', '--amount', '10.50']],
  ])('%s --receipt: sends what is in the file as it is', async (_name, args) => {
    server.reply({ status: 201, body: { id: 'x', amount: 1, refundId: 'r', paymentId: 'x' } });
    const file = `${profile.file}.receipt.json`;
    writeFileSync(file, '{ "taxation": "OSN", "items": [] }');
    await pay([...args, '--receipt', file]);
    expect(sent()[0]?.body).toContain('"receipt":{"taxation":"OSN","items":[]}');
    const { exitCode, stderr } = await pay([...args, '--receipt', `${profile.file}.none.json`]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--receipt must name a JSON file')]);
  });

  it('19: card list: every filter goes as it was typed; the order number finds its payment', async () => {
    server.reply({
      status: 200,
      body: {
        items: [{ id: 'x', status: 'PENDING', amount: 10.5, orderID: 'A-7', createdAt: 'then' }],
        nextPageToken: 't',
      },
    });
    const { stdout } = await pay([
      'card',
      'list',
      '--order',
      'A-7',
      '--customer',
      'c 1',
      '--point',
      'pp-1',
      '--status',
      'PENDING',
      '--limit',
      '5',
    ]);
    expect(sent().map(({ target }) => target)).toEqual([
      '/api/card?limit=5&status=PENDING&orderID=A-7&customerID=c%201&paymentPointID=pp-1',
    ]);
    expect(stdout).toContain('A-7');
    expect(stdout).toContain('more: --page-token t');
    expect((await pay(['card', 'list', '--status', 'PAID'])).exitCode).toBe(2);
  });

  it('19: withdrawals list, get, cancel: the partner’s own calls', async () => {
    const request = {
      id: 'x',
      withdrawalRequestId: 'w-1',
      status: 'CANCELLED',
      amountUsdt: '1.000000',
      amount: 1,
      createdAt: 'then',
    };
    server.reply({ status: 200, body: { items: [request], nextPageToken: null } }, { status: 200, body: request });
    expect((await pay(['withdrawals', 'list', '--store', 's-1', '--status', 'REQUESTED'])).stdout).toContain('w-1');
    expect((await pay(['withdrawals', 'get', 'w-1'])).stdout).toContain('CANCELLED');
    expect((await pay(['withdrawals', 'cancel', 'w-1'])).stdout).toContain('CANCELLED');
    expect((await pay(['card', 'cancel', 'x'])).stdout).toContain('CANCELLED');
    expect(sent().map(({ method, target }) => `${method} ${target}`)).toEqual([
      'GET /api/withdrawal-requests?storeId=s-1&status=REQUESTED',
      'GET /api/withdrawal-requests/w-1',
      'POST /api/withdrawal-requests/w-1/cancel',
      'POST /api/card/x/cancel',
    ]);
    expect((await pay(['withdrawals', 'list', '--status', 'PAID'])).exitCode).toBe(2);
  });

  it('card create --save: asks for the card to be saved, with the period', async () => {
    server.reply({ status: 201, body: { id: 'x', amount: 1 } });
    await pay(['card', 'create', '--amount', '10.50', '--save', 'P1M']);
    expect(sent()[0]?.body).toContain('"savePaymentMethod":true,"recurringConsent":{"period":"P1M"}');
  });

  it('card create --save: another period is a wrong command line', async () => {
    const { exitCode, stderr } = await pay(['card', 'create', '--amount', '10.50', '--save', 'P2M']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('P1M');
    expect(sent()).toEqual([]);
  });

  it('bindings list, get, revoke and recurring create: each calls its endpoint', async () => {
    const binding = { bindingId: 'b-1', status: 'ACTIVE', period: 'P1M', nextChargeAt: '2026-12-01T00:00:00.000Z' };
    server.reply({ status: 200, body: { ...binding, items: [binding], nextPageToken: 'next', paymentId: 'x' } });
    const list = await pay(['bindings', 'list', '--customer', 'anna', '--status', 'ACTIVE', '--limit', '2']);
    expect(list.stdout).toContain('b-1  ACTIVE  P1M');
    expect(list.stdout).toContain('more: --page-token next');
    expect((await pay(['bindings', 'get', 'b-1'])).stdout).toContain('2026-12-01');
    await pay(['bindings', 'revoke', 'b-1']);
    await pay(['recurring', 'create', 'b-1', '--amount', '990.00', '--order', 'S-2']);
    expect(sent().map(({ method, target, body }) => `${method} ${target} ${body}`)).toEqual([
      'GET /v1/bindings?customerId=anna&status=ACTIVE&limit=2 ',
      'GET /v1/bindings/b-1 ',
      'POST /v1/bindings/b-1/revoke ',
      'POST /v1/recurring-payments {"merchantOrderId":"S-2","amount":"990.00","currency":"RUB","bindingId":"b-1","description":"A charge from the command line"}',
    ]);
  });

  it('bindings list: a status that is none is a wrong command line', async () => {
    expect((await pay(['bindings', 'list', '--status', 'active'])).exitCode).toBe(2);
    expect(sent()).toEqual([]);
  });

  it('card pay: types in nothing but test cards', async () => {
    const { exitCode, stderr } = await pay(['card', 'pay', 'x', '--card', '5555555555554444']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('only test cards');
    expect(stderr).not.toContain('5555555555554444');
    expect(sent()).toEqual([]);
  });

  describe('diagnose', () => {
    const identity = readIdentity({ ...partner, privateKeyPem: keys.privateKeyPem });
    const saved = (headers: string, text: string) => {
      const file = join(profile.folder, 'request.http');
      writeFileSync(file, `POST /api/card HTTP/1.1\r\nHost: x\r\nIdempotency-Key: order-key-0000000001\r\n${headers}\r\n\r\n${text}`);
      return file;
    };
    const signed = (signedBody: string) =>
      signRequest(
        identity,
        { method: 'POST', target: '/api/card', idempotencyKey: 'order-key-0000000001', body: Buffer.from(signedBody) },
        freshMoment(new Date()),
      );

    it('a right request: every row matches, exit status 0', async () => {
      const { stdout, exitCode } = await pay(['diagnose', '--request', saved(`Authorization: ${signed(body).authorization}`, body)]);
      expect(exitCode).toBe(0);
      expect(stdout.match(/ match /g)).toHaveLength(7);
    });

    it('a body that was serialised again after signing: found by the signature alone', async () => {
      const file = saved(`Authorization: ${signed(JSON.stringify(JSON.parse(body))).authorization}`, '{"orderID": "A-1", "amount": 10.5}');
      const { stderr, exitCode } = await pay(['diagnose', '--request', file]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('found: the body serialised again.');
    });

    it('a canonical string with a differing part: the row says where', async () => {
      const canonical = `1790000000\nnonce-000000000000\nPOST\n/api/Card\n\norder-key-0000000001\nb8fc`;
      const { stderr } = await payAlone(
        ['diagnose', 'POST', '/api/card', '--canonical', '-', '--idempotency-key', 'order-key-0000000001'],
        { stdin: canonical },
      );
      expect(stderr).toMatch(/4 {2}DIFFERS {2}ESCAPED_PATH +\/api\/Card +should be \/api\/card \(first at byte 5\)/);
      expect(stderr).toMatch(/7 {2}DIFFERS/);
    });
  });

  describe('callbacks receive', () => {
    const saved = () =>
      sent()
        .filter(({ method }) => method === 'PUT')
        .map((request) => JSON.parse(request.body) as unknown);
    const deliver = async (url: string, secret = callbackKey.secret): Promise<number> => {
      const callback = signTestCallback(event, [{ ...callbackKey, secret }], new Date());
      return (await fetch(url, { method: 'POST', headers: callback.headers, body: new Uint8Array(callback.body) })).status;
    };

    async function listening(...args: readonly string[]) {
      const child = spawnCli(['--profile', profile.file, 'callbacks', 'receive', ...args]);
      const closed = once(child, 'close');
      let stdout = '';
      child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      const lines = createInterface({ input: child.stderr ?? process.stdin });
      for await (const line of lines) {
        const url = /^listening on (\S+?);?(?: |$)/.exec(line)?.[1];
        if (url !== undefined) return { child, url, ended: () => closed.then(() => ({ exitCode: child.exitCode, stdout })) };
      }
      throw new Error('the listener did not start');
    }

    it('--once --expect: refuses a forgery, ends with the event that it waited for', async () => {
      const { url, ended } = await listening('--once', '--expect', 'payment.completed', '--timeout', '20');
      expect(await deliver(url, Buffer.alloc(32, 8).toString('base64'))).toBe(401);
      expect(await deliver(url)).toBe(200);
      const { exitCode, stdout } = await ended();
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toEqual(event);
    });

    it('ends when its address is not taken as callbackUrl, as in LIVE', async () => {
      const details = [{ field: 'callbackUrl', message: 'must be an https address' }];
      server.reply({ status: 400, body: { error: 'not valid', code: 'VALIDATION_FAILED', details } });
      const { exitCode, stderr } = await payAlone(['callbacks', 'receive', '--register']);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('callbackUrl: must be an https address');
    });

    it('--timeout: exit status 5', async () => {
      const { ended } = await listening('--once', '--timeout', '0.2');
      expect((await ended()).exitCode).toBe(5);
    });

    it('is the callbackUrl while it listens, and puts the old one back when it is stopped', async () => {
      server.reply({
        status: 200,
        body: { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/back' },
      });
      const { child, url, ended } = await listening('--register', '--reply', '500,200');
      expect(await deliver(url)).toBe(500);
      expect(await deliver(url)).toBe(200);
      server.reply({ status: 200, body: { callbackUrl: `${url}/`, returnUrl: 'https://shop.example/back' } });
      child.kill('SIGINT');
      expect((await ended()).exitCode).toBe(0);
      expect(saved()).toEqual([
        { callbackUrl: `${url}/`, returnUrl: 'https://shop.example/back' },
        { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/back' },
      ]);
    });

    it('puts the old callbackUrl back even if it is killed, but not over a newer one', async () => {
      const before = { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/back' };
      server.reply({ status: 200, body: before });
      const killed = await listening('--register');
      server.reply({ status: 200, body: { ...before, callbackUrl: `${killed.url}/` } });
      killed.child.kill('SIGKILL');
      // Its stderr is closed by the last process that holds it: the one that restores.
      await killed.ended();
      expect(saved().at(-1)).toEqual(before);

      server.reply({ status: 200, body: before });
      const late = await listening('--register');
      server.reply({ status: 200, body: { ...before, callbackUrl: 'https://shop.example/new' } });
      late.child.kill('SIGKILL');
      await late.ended();
      expect(saved()).toHaveLength(3);
      expect(saved().at(-1)).toMatchObject({ callbackUrl: `${late.url}/` });
    });

    it('changes nothing if the process that would put the old callbackUrl back cannot be started', async () => {
      const before = { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/back' };
      server.reply({ status: 200, body: before });
      const env = { NODE_OPTIONS: `--import data:text/javascript,process.execPath='/nowhere/node'` };
      const { exitCode, stderr } = await payAlone(['callbacks', 'receive', '--register'], { env });
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain('/nowhere/node');
      expect(saved()).toEqual([]);
    });
  });

  it('proxy: signs what a plain tool sends, byte for byte; refuses a web page', async () => {
    server.reply({ status: 200, text: '{"amount": 1.10}' });
    const child = spawnCli(['--profile', profile.file, 'proxy', '--json']);
    const [chunk] = (await once(child.stdout ?? process.stdin, 'data')) as [Buffer];
    const { url } = JSON.parse(chunk.toString()) as { url: string };
    const closed = once(child, 'close');
    try {
      const answer = await fetch(`${url}/api/card`, {
        method: 'PUT',
        body,
        headers: { 'Idempotency-Key': 'order-key-0000000001' },
      });
      expect([answer.status, await answer.text()]).toEqual([200, '{"amount": 1.10}']);
      expect(sent()).toMatchObject([{ method: 'PUT', body, idempotencyKey: 'order-key-0000000001' }]);
      expect(answer.headers.get('idempotency-key')).toBeNull();
      const page = await fetch(`${url}/api/card`, { headers: { Origin: 'https://evil.example' } });
      expect(page.status).toBe(403);
      expect(sent()).toHaveLength(1);
      const plain = await fetch(`${url}/api/card`, { method: 'POST', body });
      expect([plain.status, plain.headers.get('idempotency-key')]).toEqual([200, sent()[1]?.idempotencyKey]);
      expect(sent()[1]?.idempotencyKey).toMatch(/^[\x21-\x7e]{16,128}$/);
      await fetch(`${url}/api/card`);
      expect(sent()[2]?.idempotencyKey).toBe('');
      const types: unknown[] = [];
      const respond = (_request: unknown, res: ServerResponse) => {
        types.push(res.req.headers['content-type']);
        res.end('{}');
      };
      server.reply({ status: 200, respond });
      // A body of bytes has no type of its own.
      for (const headers of [{}, { 'Content-Type': 'text/plain' }])
        await fetch(`${url}/api/card`, { method: 'POST', body: new TextEncoder().encode(body), headers });
      expect(types).toEqual(['application/json', 'text/plain']);
    } finally {
      child.kill('SIGTERM');
      await closed;
    }
  });
});
