import { z } from 'zod';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { BankFault, type BankWord } from '../bank-word.ts';
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
});

/** The fields of all methods' answers; each method reads its own. */
const Answer = z.object({
  Success: success,
  ErrorCode: text,
  TerminalKey: z.string().optional(),
  OrderId: text.optional(),
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
  QrCancelCode: z.string().nullish(),
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

/** What a call named; the answer must not name another. */
export type Asked = {
  readonly terminalKey: string;
  readonly orderId?: string | undefined;
  readonly paymentId?: string | undefined;
};

/** What is known of a method: it involves a card; its answer names the bank's payment unless it is a refusal. */
type OfMethod = { readonly takesCard?: boolean; readonly namesPayment?: boolean };

/**
 * The answer of a method. Refusals are answers too: `Success` false with an ErrorCode. @throws BankFault for a malformed answer,
 * for one about no payment or about another terminal, order or payment, and for codes that report a fault of the bank or the terminal
 */
export function readAnswer(word: BankWord, asked: Asked, { takesCard = false, namesPayment = false }: OfMethod = {}): TBankAnswer {
  const parsed = Answer.safeParse(bodyOf(word));
  if (!parsed.success) throw new BankFault('the bank answered, but not as agreed');
  const { Success, ErrorCode } = parsed.data;
  const isAboutNone = Success && namesPayment && parsed.data.PaymentId === undefined;
  if (isAboutNone || isAnothers(parsed.data, asked)) throw new BankFault('the bank answered about another operation');
  const fault = Success ? undefined : faultOf(ErrorCode, takesCard);
  if (fault !== undefined) throw new BankFault(`the bank answered with error ${ErrorCode}`, fault);
  return { kind: 'answer', ...parsed.data };
}

/**
 * The payments of an order, as CheckOrder lists them; none only if the bank says so with its error. Its answer to a known order always
 * names terminal, order and payments. @throws BankFault
 */
export function readOrderAnswer(word: BankWord, asked: Asked): TBankAnswer {
  const answer = readAnswer(word, asked);
  const { Success, TerminalKey, OrderId, Payments } = answer;
  if (Success && (TerminalKey === undefined || OrderId === undefined || Payments.length === 0)) {
    throw new BankFault('the bank answered about no order');
  }
  return answer;
}

function isAnothers({ TerminalKey, OrderId, PaymentId }: z.output<typeof Answer>, { terminalKey, orderId, paymentId }: Asked): boolean {
  const differs = (told: string | undefined, asked: string | undefined) => told !== undefined && asked !== undefined && told !== asked;
  return differs(TerminalKey, terminalKey) || differs(OrderId, orderId) || differs(PaymentId, paymentId);
}

/** The answer of GetCardList: an array. A buyer whom the bank does not know has no cards. @throws BankFault */
export function readCards(word: BankWord, asked: Asked): { readonly kind: 'cards'; readonly cards: readonly TBankCard[] } {
  const cards = z.array(Card).safeParse(bodyOf(word));
  if (cards.success) return { kind: 'cards', cards: cards.data };
  if (readAnswer(word, asked).Success) throw new BankFault('the bank answered, but not as agreed');
  return { kind: 'cards', cards: [] };
}

/** The bank answers everything, refusals too, with 200. */
function bodyOf({ status, body }: BankWord): unknown {
  if (status !== 200) throw new BankFault(`the bank answered ${String(status)}`);
  return body;
}
