/**
 * The cards and amounts that the sandbox bank knows: one data file, read by the bank, the checkout's TEST banner, the
 * docs and the command line. TEST accepts only these numbers, so that a real card can never be used.
 * See spec/decisions#sandbox-bank-test.
 */

/** What the bank does with a card. Words after the first payment describe later charges without the buyer. */
export type TestCardOutcome =
  | 'APPROVED'
  | 'THREE_D_SECURE'
  | 'THREE_DS_METHOD'
  | 'AUTHENTICATION_ATTEMPTED'
  | 'AUTHENTICATION_UNAVAILABLE'
  | 'AUTHENTICATION_REJECTED'
  | 'DECLINED_BY_ISSUER'
  | 'INSUFFICIENT_FUNDS'
  | 'CARD_BLOCKED'
  | 'CARD_EXPIRED'
  | 'NO_ANSWER_APPROVED'
  | 'NO_ANSWER_DECLINED'
  | 'LATE_APPROVAL'
  | 'LATER_CHARGES_DECLINED'
  | 'LATER_CHARGES_PENDING';

/** One card, with any future expiry and any CVV. `ru` and `en` are one-line descriptions. */
export type TestCard = {
  readonly number: string;
  readonly brand: 'VISA' | 'MIR';
  readonly outcome: TestCardOutcome;
  readonly ru: string;
  readonly en: string;
};

export const TEST_CARDS = [
  { number: '4111111111111111', brand: 'VISA', outcome: 'APPROVED', ru: 'оплата проходит', en: 'approved' },
  { number: '2200700000000009', brand: 'MIR', outcome: 'APPROVED', ru: 'оплата проходит', en: 'approved' },
  {
    number: '4000003800000446',
    brand: 'VISA',
    outcome: 'THREE_D_SECURE',
    ru: 'страница 3-D Secure банка: подтвердить или отказать',
    en: '3-D Secure page of the bank: approve or decline',
  },
  {
    number: '4000000000003220',
    brand: 'VISA',
    outcome: 'THREE_DS_METHOD',
    ru: 'оплата проходит сразу, если браузер показался банку (3DS Method), иначе страница 3-D Secure',
    en: 'approved at once where the browser showed itself to the bank (3DS Method), else the 3-D Secure page',
  },
  {
    number: '4000000000003105',
    brand: 'VISA',
    outcome: 'AUTHENTICATION_ATTEMPTED',
    ru: 'оплата проходит, 3-D Secure: попытка (A)',
    en: 'approved, 3-D Secure attempted (A)',
  },
  {
    number: '4000000000003113',
    brand: 'VISA',
    outcome: 'AUTHENTICATION_UNAVAILABLE',
    ru: 'оплата проходит, 3-D Secure недоступен (U)',
    en: 'approved, 3-D Secure unavailable (U)',
  },
  {
    number: '4000000000003121',
    brand: 'VISA',
    outcome: 'AUTHENTICATION_REJECTED',
    ru: 'банк, выпустивший карту, не подтвердил покупателя (R)',
    en: 'the issuer rejects the authentication (R): AUTHENTICATION_FAILED',
  },
  {
    number: '4000000000000002',
    brand: 'VISA',
    outcome: 'DECLINED_BY_ISSUER',
    ru: 'отказ банка, выпустившего карту',
    en: 'declined by the issuer',
  },
  {
    number: '4000000000009995',
    brand: 'VISA',
    outcome: 'INSUFFICIENT_FUNDS',
    ru: 'недостаточно средств',
    en: 'insufficient funds',
  },
  { number: '4000000000009987', brand: 'VISA', outcome: 'CARD_BLOCKED', ru: 'карта заблокирована', en: 'card blocked' },
  {
    number: '4000000000000069',
    brand: 'VISA',
    outcome: 'CARD_EXPIRED',
    ru: 'срок действия карты истёк',
    en: 'card expired',
  },
  {
    number: '2200700000000017',
    brand: 'MIR',
    outcome: 'NO_ANSWER_APPROVED',
    ru: 'банк не отвечает, но деньги списаны: видно при повторном запросе',
    en: 'the bank gives no answer but took the money: approved on read-back',
  },
  {
    number: '2200700000000025',
    brand: 'MIR',
    outcome: 'NO_ANSWER_DECLINED',
    ru: 'банк не отвечает и деньги не списаны: видно при повторном запросе',
    en: 'the bank gives no answer and took nothing: declined on read-back',
  },
  {
    number: '2200700000000033',
    brand: 'MIR',
    outcome: 'LATE_APPROVAL',
    ru: 'оплата проходит только после окончания сессии',
    en: 'approved only after the session ended',
  },
  {
    number: '2200700000000041',
    brand: 'MIR',
    outcome: 'LATER_CHARGES_DECLINED',
    ru: 'первая оплата проходит, следующие списания: недостаточно средств',
    en: 'the first payment approved, every later charge has insufficient funds',
  },
  {
    number: '2200700000000058',
    brand: 'MIR',
    outcome: 'LATER_CHARGES_PENDING',
    ru: 'первая оплата проходит, следующие списания ждут решения на странице банка',
    en: "the first payment approved, every later charge waits for a decision in the bank's page",
  },
] as const satisfies readonly TestCard[];

/** Outcomes forced by the kopecks of an amount if no card is typed: QR payments and charges of a saved card. */
export type TestAmountOutcome = 'INSUFFICIENT_FUNDS' | 'NO_ANSWER_APPROVED' | 'NO_ANSWER_DECLINED' | 'PENDING' | 'REFUND_FAILS';

/** One rule; `kopecks` are the last two digits of the amount. */
export type TestAmount = {
  readonly kopecks: number;
  readonly outcome: TestAmountOutcome;
  readonly ru: string;
  readonly en: string;
};

export const TEST_AMOUNTS = [
  { kopecks: 91, outcome: 'INSUFFICIENT_FUNDS', ru: 'недостаточно средств', en: 'insufficient funds' },
  {
    kopecks: 92,
    outcome: 'NO_ANSWER_APPROVED',
    ru: 'банк не отвечает, деньги списаны',
    en: 'no answer, then approved',
  },
  {
    kopecks: 93,
    outcome: 'NO_ANSWER_DECLINED',
    ru: 'банк не отвечает, деньги не списаны',
    en: 'no answer, then declined',
  },
  {
    kopecks: 94,
    outcome: 'PENDING',
    ru: 'ждёт решения на странице банка',
    en: "pending until decided in the bank's page",
  },
  {
    kopecks: 95,
    outcome: 'REFUND_FAILS',
    ru: 'оплата проходит, возврат не удаётся',
    en: 'approved, and a refund of it fails',
  },
] as const satisfies readonly TestAmount[];

/** The test card with this number (digits only), if it is one. */
export function findTestCard(number: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.number === number);
}

/** The rule forced by the kopecks of this amount, if there is one. */
export function findTestAmount(amountKopecks: bigint): TestAmount | undefined {
  const kopecks = amountKopecks % 100n;
  return TEST_AMOUNTS.find((rule) => BigInt(rule.kopecks) === kopecks);
}
