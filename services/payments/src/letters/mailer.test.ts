import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { startMailServer, textOf, type MailServer } from '../../test/mail-server.ts';
import type { LetterToSend } from '../use-cases/letter/send-letters.ts';
import { createMailer } from './mailer.ts';

const FROM = 'no-reply@pay.example';
const LETTER: LetterToSend = {
  letterId: '0b1f7b1e-6c39-4c7e-9a3a-2f6f6f9a7c11',
  address: 'anna@shop.example',
  language: 'ru',
  environment: 'LIVE',
  storeName: 'Тихая гавань',
  merchantOrderId: 'ORDER-1',
  amountKopecks: 125_000n,
  cardMask: '220070******0009',
  paidAt: new Date('2026-11-21T11:35:00.000Z'),
  askedAt: new Date('2026-11-21T11:36:00.000Z'),
};

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

const mailer = (change: Partial<Parameters<typeof createMailer>[0]> = {}, ms?: number) =>
  createMailer({ url: server.url, from: FROM, tls: server.tls, ...change }, ms);

it('hands the letter over with a password and TLS, the same id each time', async () => {
  const send = mailer();
  expect([await send(LETTER), await send(LETTER)]).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
  const [first, second] = server.received.splice(0);
  expect(first).toMatchObject({ from: FROM, to: ['anna@shop.example'] });
  for (const { source } of [first, second].filter((one) => one !== undefined)) {
    expect(source).toContain(`Message-ID: <${LETTER.letterId}@pay.example>`);
    expect(source).toContain('Date: Sat, 21 Nov 2026 11:36:00 +0000');
    expect(source).toContain('Auto-Submitted: auto-generated');
    expect(source).toMatch(/Content-Type: text\/plain[^]*Content-Type: text\/html/);
  }
  expect(first === undefined ? '' : textOf(first)).toContain('Магазин: Тихая гавань');
});

it.each([
  ['data', 554, 'no, anna@shop.example', 'refused', '554'],
  ['to', 550, '5.1.1 no such user, anna@shop.example', 'refused', '550'],
  ['to', 450, 'later', 'failed', 'RCPT TO 450'],
  ['data', 451, 'later', 'failed', '451'],
  // Our own sender: for an operator to repair, and no letter's fault.
  ['from', 550, 'no', 'failed', '550'],
  // Nor would any other letter get through: a password is missing, or the server relays nothing for us.
  ['to', 530, 'authentication required', 'failed', '530'],
  ['to', 550, '5.7.1 relaying denied', 'failed', '550'],
  ['data', 554, '5.7.1 blocked', 'failed', '554'],
] as const)('an answer to %s of %d %s: %s, %s', async (step, code, text, kind, said) => {
  server.refuse({ [step]: { code, text } });
  expect(await mailer()(LETTER)).toEqual({ kind, code: said });
  server.refuse({});
  expect(server.received).toEqual([]);
});

it.each([
  ['a wrong password', { url: 'smtp://pay:wrong@localhost' }, '535'],
  ['a certificate that nobody vouches for', { tls: {} }, 'ESOCKET'],
  ['a certificate for another name', { url: 'smtp://pay:p%40ss@127.0.0.1' }, 'ESOCKET'],
] as const)('%s: failed, and the letter stays here', async (_name, change, code) => {
  const port = new URL(server.url).port;
  const url = 'url' in change ? `${change.url}:${port}` : server.url;
  expect(await mailer({ ...change, url })(LETTER)).toEqual({ kind: 'failed', code });
  expect(server.received).toEqual([]);
});

it('a server without TLS gets neither password nor letter', async () => {
  const plain = await startMailServer({ hasTls: false });
  expect(await mailer({ url: plain.url, tls: plain.tls })(LETTER)).toMatchObject({ kind: 'failed' });
  expect(plain.received).toEqual([]);
  await plain.stop();
});

it('nobody listens: failed', async () => {
  expect(await mailer({ url: 'smtp://localhost:1' })(LETTER)).toMatchObject({ kind: 'failed' });
});

it('a server that is silent, or speaks a little for ever, is left after the deadline', async () => {
  const slow = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220-wait\r\n');
    socket.on('data', () => socket.write('250-wait\r\n'));
  });
  await new Promise<void>((resolve) => {
    slow.listen(0, '127.0.0.1', resolve);
  });
  const address = slow.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await mailer({ url: `smtp://localhost:${String(port)}` }, 50)(LETTER)).toEqual({
    kind: 'failed',
    code: 'EABORT',
  });
  // It closes when nobody is connected any more.
  await new Promise<unknown>((resolve) => slow.close(resolve));
});

it('a server that takes the letter and does not say so may have it: unanswered', async () => {
  server.beforeAnswer(() => {
    server.breakConnections();
    return Promise.resolve();
  });
  expect(await mailer()(LETTER)).toMatchObject({ kind: 'unanswered' });
  server.beforeAnswer(() => Promise.resolve());
  expect(server.received.splice(0)).toHaveLength(1);
});

it('what looks like a list of addresses, or like further lines, is one recipient or nothing', async () => {
  for (const address of ['anna@shop.example, boris@shop.example', 'anna@shop.example\r\nBcc: boris@shop.example'])
    await mailer()({ ...LETTER, address, storeName: 'Tea\r\nBcc: boris@shop.example' });
  for (const { to, source } of server.received.splice(0)) {
    expect(to).toHaveLength(1);
    expect(source).not.toMatch(/^Bcc:/im);
  }
});
