import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { JsonNumber, parseJson } from '@pay/shared/json/json-body.ts';
import { BankFault, type BankAnswer } from '../bank-client.ts';
import { faultOf } from './failure.ts';

/** Numbers and strings alike, as strings: the bank writes ids of up to 20 digits as numbers, more than a double holds. */
const text = z.union([z.string(), z.instanceof(JsonNumber).transform(({ token }) => token)]);
const kopecks = text.pipe(z.string().regex(/^\d{1,18}$/)).transform((digits) => BigInt(digits));
/** The bank writes `true` and `"true"`. */
const success = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);
const url = z.url({ protocol: /^https?$/ });

/** One payment of an order, as CheckOrder lists it. */
const Payment = z.object({
  PaymentId: text,
  Amount: kopecks.optional(),
  Status: z.string(),
  ErrorCode: text.default('0'),
  /** Set if it was or will be paid by SBP. */
  SbpPaymentId: z.string().nullish(),
});

/** The fields of all methods' answers; each method reads its own. */
const Answer = z.object({
  Success: success,
  ErrorCode: text,
  Status: z.string().optional(),
  PaymentId: text.optional(),
  Amount: kopecks.optional(),
  OriginalAmount: kopecks.optional(),
  NewAmount: kopecks.optional(),
  Version: z.string().optional(),
  ThreeDSMethodURL: z.string().nullish(),
  TdsServerTransID: z.string().nullish(),
  TdsServerTransId: z.string().nullish(),
  AcsTransId: z.string().nullish(),
  ACSUrl: url.nullish(),
  RebillId: text.nullish(),
  Data: z.string().optional(),
  Payments: z.array(Payment).default([]),
});

const Card = z.object({
  Pan: z.string().optional(),
  ExpDate: text.optional(),
  Status: z.string(),
  RebillId: text.nullish(),
});

export type TBankAnswer = { readonly kind: 'answer' } & z.output<typeof Answer>;
export type TBankPayment = z.output<typeof Payment>;
export type TBankCard = z.output<typeof Card>;

/**
 * The answer of a method. `takesCard`: the method involves a card. Refusals are answers too: `Success` false with an
 * ErrorCode. @throws BankFault for a malformed answer, and for codes that report a fault of the bank or the terminal
 */
export function readAnswer(answer: BankAnswer, takesCard = false): TBankAnswer {
  const parsed = Answer.safeParse(parse(answer));
  if (!parsed.success) throw new BankFault('the bank answered, but not as agreed');
  const { Success, ErrorCode } = parsed.data;
  const fault = Success ? undefined : faultOf(ErrorCode, takesCard);
  if (fault !== undefined) throw new BankFault(`the bank answered with error ${ErrorCode}`, fault);
  return { kind: 'answer', ...parsed.data };
}

/** The answer of GetCardList: an array. A buyer whom the bank does not know has no cards. @throws BankFault */
export function readCards(answer: BankAnswer): { readonly kind: 'cards'; readonly cards: readonly TBankCard[] } {
  const body = parse(answer);
  const cards = z.array(Card).safeParse(body);
  if (cards.success) return { kind: 'cards', cards: cards.data };
  if (readAnswer(answer).Success) throw new BankFault('the bank answered, but not as agreed');
  return { kind: 'cards', cards: [] };
}

function parse({ status, text: body }: BankAnswer): unknown {
  if (status !== 200) throw new BankFault(`the bank answered ${String(status)}`);
  try {
    return parseJson(Buffer.from(body));
  } catch (error) {
    if (error instanceof ApiError) throw new BankFault('the bank answered with no JSON');
    throw error;
  }
}
