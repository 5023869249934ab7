import type { KeyObject } from 'node:crypto';
import { createBankClient, NO_FENCE, type BankCall, type BankClientOptions, type Unanswered } from '../bank-client.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { BankWord } from '../bank-word.ts';
import { readAnswer, readCards, readOrderAnswer, type Asked, type TBankAnswer, type TBankCard, type TBankPayment } from './answer.ts';
import { isAbsent } from './failure.ts';
import { tokenOf } from './token.ts';

/** A terminal at the bank, from the configuration. */
export type TBankAccount = {
  /** Origin of the API, such as `https://securepay.tinkoff.ru`. */
  readonly url: string;
  readonly terminalKey: string;
  /** Signs every call, and the bank's notifications. */
  readonly password: string;
  /** Encrypts card data: the terminal's public key. */
  readonly cardKey: KeyObject;
  /** Where the bank sends its notifications; undefined: as set at the terminal. */
  readonly notificationUrl: string | undefined;
};

export type TBankOptions = BankClientOptions & TBankAccount;

export type Fields = Readonly<Record<string, unknown>>;
export type Method =
  | 'Init'
  | 'Check3dsVersion'
  | 'FinishAuthorize'
  | 'Submit3DSAuthorizationV2'
  | 'Charge'
  | 'Cancel'
  | 'CheckOrder'
  | 'GetQr'
  | 'GetQrState'
  | 'GetCardList';

/** Methods that only read. Every other method may move money and is sent under the fence. */
const TELLING: ReadonlySet<Method> = new Set<Method>(['Check3dsVersion', 'CheckOrder', 'GetQrState', 'GetCardList']);

/** Whether a method only reads. */
export const isTelling = (method: Method): boolean => TELLING.has(method);

/** Methods whose answer, unless it is a refusal, names the bank's payment. */
const OF_A_PAYMENT: ReadonlySet<Method> = new Set<Method>([
  'Init',
  'FinishAuthorize',
  'Submit3DSAuthorizationV2',
  'Charge',
  'Cancel',
  'GetQr',
]);

/** Methods that involve a card. */
const OF_A_CARD: ReadonlySet<Method> = new Set<Method>(['Check3dsVersion', 'FinishAuthorize', 'Submit3DSAuthorizationV2', 'Charge']);

/** All payments of one order. */
type Found = { readonly kind: 'found'; readonly payments: readonly TBankPayment[] };

/** One terminal of the bank. */
export type Terminal = {
  /** Begins an operation, whose calls share one deadline. Without a fence it may only read. */
  readonly begin: (fence?: Fence) => TerminalCalls;
  readonly isAvailable: () => boolean;
  readonly close: () => Promise<void>;
};

/** The methods of one terminal for one operation: requests are signed, answers parsed. */
export type TerminalCalls = {
  readonly cardKey: KeyObject;
  readonly notificationUrl: string | undefined;
  readonly call: (method: Method, fields: Fields, headers?: Readonly<Record<string, string>>) => Promise<TBankAnswer | Unanswered>;
  /** CheckOrder. It moves no money, so without an answer nothing has happened. */
  readonly find: (operationId: string) => Promise<Found | Unanswered>;
  /** GetCardList: the cards that the bank keeps for a buyer. */
  readonly listCards: (customerKey: string) => Promise<{ readonly kind: 'cards'; readonly cards: readonly TBankCard[] } | Unanswered>;
};

export function createTerminal(options: TBankOptions): Terminal {
  const { terminalKey, password } = options;
  const client = createBankClient(options);

  function callOf(method: Method, fields: Fields, headers: Readonly<Record<string, string>> = {}): BankCall {
    const body = { TerminalKey: terminalKey, ...fields };
    const signed = { ...body, Token: tokenOf(body, password) };
    const isForm = method === 'Submit3DSAuthorizationV2';
    const contentType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return {
      method: 'POST',
      url: `${options.url}/v2/${method}`,
      headers: { accept: 'application/json', ...headers, 'content-type': contentType },
      body: isForm ? new URLSearchParams(asTexts(signed)).toString() : JSON.stringify(signed, amountAsNumber),
    };
  }

  return {
    begin(fence = NO_FENCE) {
      const { ask, move } = client.begin(fence);
      return createTerminalCalls(options, (method, { fields, headers }, read) =>
        (isTelling(method) ? ask : move)(method, callOf(method, fields, headers), read),
      );
    },
    isAvailable: () => client.isAvailable(),
    close: () => client.close(),
  };
}

/** Sends one call of a method, and returns what `read` makes of the bank's word. */
type SendMethod = <Result extends { readonly kind: string }>(
  method: Method,
  sent: { readonly fields: Fields; readonly headers?: Readonly<Record<string, string>> | undefined },
  read: (word: BankWord) => Result,
) => Promise<Result | Unanswered>;

/** The methods for one operation, whatever their calls are sent by. */
export function createTerminalCalls(
  { terminalKey, cardKey, notificationUrl }: Pick<TBankAccount, 'terminalKey' | 'cardKey' | 'notificationUrl'>,
  send: SendMethod,
): TerminalCalls {
  const askedOf = ({ OrderId, PaymentId }: Fields): Asked => ({
    terminalKey,
    orderId: textOf(OrderId),
    paymentId: textOf(PaymentId),
  });
  return {
    cardKey,
    notificationUrl,
    call: (method, fields, headers) =>
      send(method, { fields, headers }, (word) =>
        readAnswer(word, askedOf(fields), {
          takesCard: OF_A_CARD.has(method),
          namesPayment: OF_A_PAYMENT.has(method),
        }),
      ),
    async find(operationId) {
      const fields = { OrderId: operationId };
      const answer = await send('CheckOrder', { fields }, (word) => readOrderAnswer(word, askedOf(fields)));
      if (answer.kind !== 'answer') return answer;
      if (answer.Success) return { kind: 'found', payments: answer.Payments };
      return isAbsent(answer.ErrorCode) ? { kind: 'found', payments: [] } : { kind: 'unknown', isAnswered: true };
    },
    listCards: (customerKey) => send('GetCardList', { fields: { CustomerKey: customerKey } }, (word) => readCards(word, { terminalKey })),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Writes kopecks as a JSON number, digit by digit. */
function amountAsNumber(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}

function asTexts(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
