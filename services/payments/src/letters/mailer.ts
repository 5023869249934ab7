import { createTransport } from 'nodemailer';
import type { ConnectionOptions } from 'node:tls';
import { ABOUT_RECIPIENT, type Attempted } from '../domain/letter/letter-outcome.ts';
import type { SendLetter } from '../use-cases/letter/send-letters.ts';
import { composeLetter } from './letter.ts';

/** A mail server and how we appear there. */
export type MailServer = {
  /** `smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS. */
  readonly url: string;
  /** The address that letters come from. */
  readonly from: string;
  /** What a test's certificate needs. */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'servername'>;
};

/** The way there, and the greeting. */
const STEP_MS = 10_000;
/** All of it, however slowly the server goes on: one that looks into letters needs time for its last answer. */
const LETTER_MS = 30_000;

/**
 * Sends letters to one mail server, each over a connection of its own. Never without TLS and a certificate that is right: STARTTLS is
 * required where TLS does not come first.
 */
export function createMailer({ url, from, tls }: MailServer, letterMs = LETTER_MS): SendLetter {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const open = () =>
    createTransport({
      host: hostname,
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: true,
      tls: { minVersion: 'TLSv1.2', ...tls },
      ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: letterMs,
      dnsTimeout: STEP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async (letter) => {
    const { letterId, address, askedAt } = letter;
    const transport = open();
    let isHandedOver = false;
    transport.use('stream', ({ message }, done) => {
      message.processFunc((whole) => {
        // Its end is read when the server has answered DATA and has got everything before.
        whole.once('end', () => {
          isHandedOver = true;
        });
        return whole;
      });
      done();
    });
    try {
      await transport.sendMail({
        ...composeLetter(letter),
        from: { name: '', address: from },
        // As an object it is one address, whatever is in it.
        to: { name: '', address },
        // The same each time: a mailbox that gets a letter twice can see that it is one.
        messageId: `<${letterId}@${domain}>`,
        date: askedAt,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(letterMs),
      });
      return { kind: 'sent' };
    } catch (error) {
      return attemptedOf(error, isHandedOver);
    }
  };
}

/**
 * What a failure means for a letter. Only the answer to the recipient or to the letter itself is about the letter. A refused password or sender,
 * and a server that does not serve us (530; 5.7: relaying denied, a policy), are ours to repair, and the letter waits for that.
 */
function attemptedOf(error: unknown, isHandedOver: boolean): Attempted {
  const { responseCode, response, command, code } = error instanceof Error ? fieldsOf(error) : fieldsOf({});
  if (responseCode === undefined) return { kind: isHandedOver ? 'unanswered' : 'failed', code: code ?? 'unknown' };
  const isAboutUs = responseCode === 530 || /^5\d\d[ -]5\.7\./.test(response);
  const isAboutLetter = !isAboutUs && (command === 'RCPT TO' || command === 'DATA');
  if (isAboutLetter && responseCode >= 500) return { kind: 'refused', code: String(responseCode) };
  const isAboutRecipient = command === 'RCPT TO' && responseCode < 500;
  return { kind: 'failed', code: `${isAboutRecipient ? `${ABOUT_RECIPIENT} ` : ''}${String(responseCode)}` };
}

function fieldsOf(error: object) {
  const all: Readonly<Record<string, unknown>> = { ...error };
  const { responseCode, response, command, code } = all;
  return {
    response: typeof response === 'string' ? response : '',
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    command: typeof command === 'string' ? command : undefined,
    code: typeof code === 'string' ? code : undefined,
  };
}
