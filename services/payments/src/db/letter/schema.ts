import { sql } from 'drizzle-orm';
import { check, index, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { Language } from '../../wording/language.ts';
import { createdAt } from '../columns.ts';
import { payments } from '../payment/schema.ts';

export type LetterStatus = 'WAITING' | 'SENT' | 'REFUSED' | 'GIVEN_UP';

/** Payment confirmations by e-mail, which only the previous version writes and sends. The table goes in the next version. */
export const letters = pgTable(
  'letters',
  {
    letterId: uuid('letter_id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.paymentId),
    /** The first, second or third letter of its payment. */
    number: smallint('number').notNull(),
    /** Null once it is not needed any more. */
    addressEncrypted: text('address_encrypted'),
    /** A keyed hash with the day in it: of two days, the hashes of one address have nothing in common. */
    addressHash: text('address_hash').notNull(),
    /** Of the letters to this address on that day. */
    numberOfDay: smallint('number_of_day').notNull(),
    language: text('language').$type<Language>().notNull(),
    status: text('status').$type<LetterStatus>().notNull().default('WAITING'),
    attemptCount: smallint('attempt_count').notNull().default(0),
    /** Null: never again. */
    nextAttemptAt: moment('next_attempt_at').default(sql`clock_now()`),
    /** The SMTP reply or the error's name of the last attempt that failed. */
    lastFailure: text('last_failure'),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    unique('letters_of_payment').on(table.paymentId, table.number),
    unique('letters_of_address').on(table.addressHash, table.numberOfDay),
    unique('letters_once').on(table.paymentId, table.addressHash),
    index('letters_due')
      .on(table.nextAttemptAt)
      .where(sql`next_attempt_at is not null`),
    index('letters_old').on(table.createdAt),
    check('letters_status', sql`status in ('WAITING', 'SENT', 'REFUSED', 'GIVEN_UP')`),
    check('letters_language', sql`language in ('ru', 'en')`),
    check('letters_number', sql`number between 1 and 3`),
    check('letters_number_of_day', sql`number_of_day between 1 and 10`),
    check('letters_address', sql`(address_encrypted is not null) = (status = 'WAITING')`),
    check('letters_ended', sql`(ended_at is null) = (status = 'WAITING')`),
  ],
);
