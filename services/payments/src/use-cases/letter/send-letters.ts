import { Counter } from 'prom-client';
import { decrypt } from '@pay/shared/encryption/encryption.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import {
  claimDueLetters,
  endLetter,
  findLetterFacts,
  putOffLetter,
  readLetterDelay,
  type Letter,
} from '../../db/letter/letters.ts';
import type { Language } from '../../wording/language.ts';
import type { Deps } from '../../deps.ts';
import { decideLetter, LETTER_LIVES_MS, type Attempted } from '../../domain/letter/letter-outcome.ts';
import { addressContext } from './ask-for-letter.ts';

/** Letters on their way at once from one replica: each is a connection to the mail server. */
const BATCH = 5;
const INTERVAL_MS = 5_000;

/** What a letter says, and to whom. */
export type LetterToSend = {
  readonly letterId: string;
  readonly address: string;
  readonly language: Language;
  readonly environment: 'TEST' | 'LIVE';
  readonly storeName: string;
  /** Empty for QR. */
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  /** Null for QR. */
  readonly cardMask: string | null;
  readonly paidAt: Date;
  readonly askedAt: Date;
};

/** Hands a letter to the mail server. It takes at most 30 seconds, and does not reject. */
export type SendLetter = (letter: LetterToSend) => Promise<Attempted>;

const RESULTS = ['sent', 'refused', 'failed', 'given_up'] as const;

const attempts = new Counter({
  name: 'letters_total',
  help: 'Attempts to send payment confirmations by e-mail: sent, refused for good, failed and to be repeated, given up.',
  labelNames: ['result'],
  registers: [registry],
});
for (const result of RESULTS) attempts.inc({ result }, 0);

/**
 * The worker that sends payment confirmations. Replicas share the work by claims of two minutes; a replica that froze after the mail server took
 * a letter sends it twice, with the same Message-ID, because that is all that SMTP can promise. A round fails while letters
 * wait for an hour and none leaves (`readLetterDelay`).
 */
export function sendLettersLoop(deps: Deps, send: SendLetter): Loop {
  return {
    name: 'send-letters',
    intervalMs: INTERVAL_MS,
    round: async () => {
      const claimed = await inTransaction(deps.db, (tx) => claimDueLetters(tx, BATCH));
      await Promise.all(
        claimed.map((letter) =>
          sendOne(deps, send, letter).catch((err: unknown) => {
            // It is due again in two minutes.
            deps.log.error('a letter could not be sent', { letterId: letter.letterId, err });
          }),
        ),
      );
      if ((await readLetterDelay(deps.db)).isStanding) throw new Error('letters wait, and none has left for an hour');
      return claimed.length === BATCH ? 'more' : 'done';
    },
  };
}

async function sendOne(deps: Deps, send: SendLetter, letter: Letter & { readonly now: Date }): Promise<void> {
  const { letterId, addressEncrypted, language, attemptCount, createdAt, now, paymentId } = letter;
  const ageMs = now.getTime() - createdAt.getTime();
  if (ageMs >= LETTER_LIVES_MS) {
    await giveUp(deps, letter);
    return;
  }
  const facts = await findLetterFacts(deps.db, paymentId);
  if (addressEncrypted === null || facts === undefined)
    throw new Error('a letter without an address or a booked payment');
  const address = decrypt(deps.encryptionKeys, addressEncrypted, addressContext(letterId)).toString();
  const { environment } = deps;
  const attempted = await send({ letterId, address, language, environment, askedAt: createdAt, ...facts });
  const decision = decideLetter(attempted, { attemptCount, ageMs });
  const failure = attempted.kind === 'sent' ? null : attempted.code;
  await inTransaction(deps.db, async (tx) => {
    if (decision.kind === 'end') await endLetter(tx, letterId, { status: decision.status, failure });
    else await putOffLetter(tx, letter, { inMs: decision.inMs, failure: failure ?? '' });
  });
  const result = attempted.kind === 'unanswered' ? 'failed' : attempted.kind;
  attempts.inc({ result: decision.kind === 'end' && decision.status === 'GIVEN_UP' ? 'given_up' : result });
  if (failure !== null) deps.log.warn('a letter was not taken by the mail server', { letterId, paymentId, failure, attemptCount, next: decision.kind }); // prettier-ignore
}

/** Of a letter that nobody could send in time, because there was no mail server or its address could not be read. */
async function giveUp(deps: Deps, { letterId, paymentId, lastFailure }: Letter): Promise<void> {
  await inTransaction(deps.db, (tx) => endLetter(tx, letterId, { status: 'GIVEN_UP', failure: lastFailure }));
  attempts.inc({ result: 'given_up' });
  deps.log.warn('a letter was given up: it has waited too long', { letterId, paymentId });
}
