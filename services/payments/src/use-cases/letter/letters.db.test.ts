import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { DEFAULT_POINT, startTestApp, type TestApp } from '../../../test/app.ts';
import { startMailServer, textOf, type MailServer } from '../../../test/mail-server.ts';
import { deleteOldLetters } from '../../db/letter/letters.ts';
import { createMailer } from '../../letters/mailer.ts';
import { eraseBuyer } from '../operator/erase-buyer.ts';
import { askForLetter } from './ask-for-letter.ts';
import { sendLettersLoop, type SendLetter } from './send-letters.ts';

let t: TestApp;
let server: MailServer;
const logged: string[] = [];
const line = (...words: unknown[]) => {
  logged.push(
    JSON.stringify(words, (_name, value: unknown) =>
      value instanceof Error ? `${value.message} ${JSON.stringify(value)}` : value,
    ),
  );
};
const log: Log = { debug: line, info: line, warn: line, error: line };

beforeAll(async () => {
  t = await startTestApp();
  server = await startMailServer();
  await t.rows('update payment_points set email_confirmation = true where payment_point_id = $1', [DEFAULT_POINT]);
});
afterAll(async () => {
  await server.stop();
  await t.close();
});
beforeEach(async () => {
  server.refuse({});
  server.beforeAnswer(() => Promise.resolve());
  server.received.length = 0;
  await t.rows('delete from letters');
});

const mailer = () => createMailer({ url: server.url, from: 'no-reply@pay.example', tls: server.tls });
const round = (send: SendLetter = mailer()) => workOff(sendLettersLoop({ ...t.deps, log }, send));
const paid = async () => {
  const payment = await t.givenPayment({ customerID: `buyer-${randomUUID()}` });
  await t.pay(payment.checkoutToken);
  return payment;
};
const ask = (checkoutToken: string, address = 'anna@shop.example', language: 'ru' | 'en' = 'ru') =>
  askForLetter(t.deps, { checkoutToken, address, language });
const letters = () =>
  t.rows(
    'select status, attempt_count, last_failure, address_encrypted is null as forgotten from letters order by number',
  );

it('a buyer who paid gets the letter once, and the address is forgotten when it has left', async () => {
  const { checkoutToken, orderID } = await paid();
  expect(await ask(checkoutToken)).toBe('asked');
  const [row] = await t.rows('select * from letters');
  expect(JSON.stringify(row)).not.toContain('anna');
  await round();
  await round();
  expect(server.received.map(({ to }) => to)).toEqual([['anna@shop.example']]);
  const [received] = server.received;
  expect(received === undefined ? '' : textOf(received)).toContain(`Номер заказа: ${orderID}\nКарта: •• 1111\n`);
  expect(await letters()).toEqual([{ status: 'SENT', attempt_count: 1, last_failure: null, forgotten: true }]);
  expect(logged.join()).not.toContain('anna@');
});

it('nothing is offered before the payment is paid, or where the point offers nothing', async () => {
  const open = await t.givenPayment();
  expect(await ask(open.checkoutToken)).toBe('not-offered');
  const { partner, point } = await t.givenPartner();
  const { body } = await t.create({ paymentPointID: point }, { partner });
  const token = String(body['paymentUrl']).split('/').at(-1) ?? '';
  await t.pay(token);
  expect(await ask(token)).toBe('not-offered');
  expect(await letters()).toEqual([]);
});

it('a second click asks for the same letter; three addresses for one payment are the most', async () => {
  const { checkoutToken } = await paid();
  expect(await Promise.all([ask(checkoutToken), ask(checkoutToken), ask(checkoutToken, 'Anna@shop.example')])).toEqual(['asked', 'asked', 'asked']); // prettier-ignore
  expect(await letters()).toHaveLength(1);
  expect([await ask(checkoutToken, 'b@shop.example'), await ask(checkoutToken, 'c@shop.example'), await ask(checkoutToken, 'd@shop.example'), await ask(checkoutToken)]) // prettier-ignore
    .toEqual(['asked', 'asked', 'too-many', 'asked']); // prettier-ignore
});

it('ten letters a day to one address are the most, of all payments; the eleventh waits for the tenth to commit, and sees it', async () => {
  const payments = [];
  for (let count = 0; count < 11; count += 1) payments.push(await paid());
  const tokens = payments.map(({ checkoutToken }) => checkoutToken);
  for (const token of tokens.slice(0, 9)) expect(await ask(token)).toBe('asked');
  const [tenth = '', eleventh = ''] = tokens.slice(9);
  const outcome = await inTransaction(t.deps.db, async (tx) => {
    // Holds the tenth number: the other request cannot know yet whether it is taken.
    await tx.execute(sql`insert into letters (letter_id, payment_id, number, address_encrypted, address_hash, number_of_day, language)
      select gen_random_uuid(), payment_id, 1, 'held', (select address_hash from letters limit 1), 10, 'ru' from payments where form_token = ${tenth}`);
    const waiting = ask(eleventh);
    await t.untilBlocked();
    return [waiting];
  });
  expect(await outcome[0]).toBe('too-many');
  await t.moveClock('1 day');
  expect(await ask(eleventh)).toBe('asked');
});

it('a mail server that refuses for now is tried again after one, five and fifteen minutes, and given up after three days', async () => {
  const { checkoutToken } = await paid();
  await ask(checkoutToken);
  server.refuse({ data: { code: 451, text: 'later, anna@shop.example' } });
  for (const pause of ['59 seconds', '1 second', '299 seconds', '1 second', '15 minutes']) {
    await round();
    await t.moveClock(pause);
  }
  expect(await letters()).toEqual([{ status: 'WAITING', attempt_count: 3, last_failure: '451', forgotten: false }]);
  for (let hours = 0; hours < 72; hours += 3) {
    await round().catch(() => undefined);
    await t.moveClock('3 hours');
  }
  expect(await letters()).toMatchObject([{ status: 'GIVEN_UP', last_failure: '451', forgotten: true }]);
  expect(logged.join()).not.toContain('anna@');
});

it('a letter that waited for a mail server until its third day is over is given up, and not sent late', async () => {
  const [late, inTime] = [await paid(), await paid()];
  await ask(late.checkoutToken, 'late@shop.example');
  await t.moveClock('1 second');
  await ask(inTime.checkoutToken);
  await t.moveClock('71 hours 59 minutes 59 seconds');
  await round();
  expect(server.received.map(({ to }) => to)).toEqual([['anna@shop.example']]);
  expect(await t.rows('select status, address_encrypted from letters order by created_at')).toEqual([
    { status: 'GIVEN_UP', address_encrypted: null },
    { status: 'SENT', address_encrypted: null },
  ]);
});

it('rounds fail while a letter waits for an hour and none leaves, and succeed again when one has left', async () => {
  const { checkoutToken } = await paid();
  await ask(checkoutToken);
  const away: SendLetter = () => Promise.resolve({ kind: 'failed', code: 'ECONNECTION' });
  await round(away);
  await t.moveClock('61 minutes');
  await expect(round(away)).rejects.toThrow('none has left for an hour');
  await t.moveClock('6 minutes');
  await round();
  expect(await letters()).toMatchObject([{ status: 'SENT' }]);
});

it('a letter that the server takes each time, and never says so, is handed over three times', async () => {
  const { checkoutToken } = await paid();
  await ask(checkoutToken);
  for (const pause of ['1 minute', '5 minutes', '15 minutes', '1 day', '1 day']) {
    await round(() => Promise.resolve({ kind: 'unanswered', code: 'ETIMEDOUT' }));
    await t.moveClock(pause);
  }
  expect(await letters()).toEqual([{ status: 'GIVEN_UP', attempt_count: 3, last_failure: 'ETIMEDOUT', forgotten: true }]); // prettier-ignore
});

it('rounds do not fail for an address that takes no letters now; they do for those of three payments', async () => {
  const payments = [await paid(), await paid(), await paid()];
  const defers: SendLetter = () => Promise.resolve({ kind: 'failed', code: 'RCPT TO 450' });
  const afterAnHour = async (count: number) => {
    await t.rows('delete from letters');
    for (const { checkoutToken } of payments.slice(0, count))
      for (const name of ['anna', 'boris']) await ask(checkoutToken, `${name}@gone.example`);
    await round(defers);
    await t.moveClock('61 minutes');
    await round(defers);
  };
  await afterAnHour(2);
  await expect(afterAnHour(3)).rejects.toThrow('none has left for an hour');
});

it('an address that does not exist ends the letter at once', async () => {
  const { checkoutToken } = await paid();
  await ask(checkoutToken);
  server.refuse({ to: { code: 550, text: 'no such user' } });
  await round();
  expect(await letters()).toEqual([{ status: 'REFUSED', attempt_count: 1, last_failure: '550', forgotten: true }]);
});

it('a replica that freezes while the server takes a letter: another one sends it again under the same id, and it is booked once', async () => {
  const { checkoutToken } = await paid();
  await ask(checkoutToken);
  let isFrozen = false;
  const taken: number[] = [];
  server.beforeAnswer(async () => {
    if (isFrozen) return;
    isFrozen = true;
    await t.moveClock('119 seconds');
    await round();
    taken.push(server.received.length);
    await t.moveClock('1 second');
    await round();
    taken.push(server.received.length);
  });
  await round();
  expect(taken).toEqual([1, 2]);
  const ids = server.received.map(({ source }) => /Message-ID: (.+)/.exec(source)?.[1]);
  expect(ids).toEqual([expect.stringMatching(/@pay\.example>/), ids[0]]);
  expect(await letters()).toMatchObject([{ status: 'SENT', attempt_count: 2 }]);
});

it('a replica that comes back with a failure does not put off what another one claimed meanwhile', async () => {
  const { checkoutToken } = await paid();
  await ask(checkoutToken);
  await round(async () => {
    await t.moveClock('2 minutes');
    await round(() => Promise.resolve({ kind: 'failed', code: 'second' }));
    return { kind: 'failed', code: 'first' };
  });
  expect(await letters()).toMatchObject([{ status: 'WAITING', attempt_count: 2, last_failure: 'second' }]);
});

it('letters of a buyer who is erased are gone, and all are after 35 days', async () => {
  const erased = await paid();
  const kept = await paid();
  await ask(erased.checkoutToken, 'b@shop.example');
  await ask(kept.checkoutToken, 'b@shop.example');
  await t.rows('delete from outbox');
  await eraseBuyer(t.deps, 'olga', erased.id);
  expect(await t.rows('select payment_id from letters')).toEqual([{ payment_id: kept.id }]);
  // The numbers of what is gone are not given again.
  const next = await paid();
  expect(await ask(next.checkoutToken, 'b@shop.example')).toBe('asked');
  await t.moveClock('34 days');
  expect(await inTransaction(t.deps.db, deleteOldLetters)).toBe(0);
  await t.moveClock('2 days');
  expect(await inTransaction(t.deps.db, deleteOldLetters)).toBe(2);
});
