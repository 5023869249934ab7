import { ApiError } from '@pay/shared/errors/api-error.ts';
import { mediaTypeOf } from '@pay/shared/http/media-type.ts';
import { parseJson } from '@pay/shared/json/json-body.ts';

/**
 * An answer that says nothing about the operation; reported as `unknown`. `bank`: the bank or our account there has a fault,
 * which the breaker counts. `perhaps-card`: the card may have provoked the answer, and a buyer who enters ten such cards
 * must not open the breaker for every shop.
 */
export class BankFault extends Error {
  override readonly name = 'BankFault';

  readonly of: 'bank' | 'perhaps-card';

  constructor(message: string, of: 'bank' | 'perhaps-card' = 'bank') {
    super(message);
    this.of = of;
  }
}

/** An answer as it came over the connection, from whoever sent it. */
export type RawAnswer = {
  readonly status: number;
  /** The header; undefined without one. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
};

/** What a bank said by itself. Its connector checks whether it is about the operation that was asked about. */
export type BankWord = {
  readonly status: number;
  /** Numbers are JsonNumber: banks write ids with more digits than a double holds. */
  readonly body: unknown;
};

/** Drops a byte order mark, as JSON's readers must not see one. */
const utf8 = new TextDecoder();

/**
 * The bank's own word: JSON, declared as JSON, whole, and with a status that a bank gives to a decision. A balancer's error
 * page, a captive portal's form, a redirect or half an answer comes from somebody else or says nothing, whatever its status:
 * a 404 of such a page does not mean that the bank does not know the operation. @throws BankFault for anything else
 */
export function bankWordOf({ status, contentType, body }: RawAnswer): BankWord {
  const decides = status === 200 || (status >= 400 && status < 500 && !UNDECIDED.has(status));
  if (!decides) throw new BankFault(`the bank answered ${String(status)}`);
  if (mediaTypeOf(contentType) !== 'application/json') {
    throw new BankFault(`the answer with status ${String(status)} is not JSON of the bank`);
  }
  try {
    return { status, body: parseJson(Buffer.from(utf8.decode(body))) };
  } catch (error) {
    if (error instanceof ApiError) throw new BankFault('the bank answered with no JSON');
    throw error;
  }
}

/** Faults of our account (401, 403, 407), or of the moment (408, 421, 423, 425, 429). */
const UNDECIDED: ReadonlySet<number> = new Set([401, 403, 407, 408, 421, 423, 425, 429]);
