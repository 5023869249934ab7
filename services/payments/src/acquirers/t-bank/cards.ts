import { NO_CARD, type CardFacts, type AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import { methodCompletion, NOT_TOLD, type ThreeDs, type ThreeDsPreparation } from '../../domain/acquiring/three-ds.ts';
import type { Unanswered } from '../bank-client.ts';
import type { Authorization, BrowserFacts, Buyer, CardDetails, Charge, Prepared, WantedFacts } from '../acquirer.ts';
import type { TBankAnswer, TBankPayment } from './answer.ts';
import { cardDataOf, maskOf } from './card-data.ts';
import { knownFailureOf } from './failure.ts';
import { afterChallenge, openOrder, readOrder, withSavedCard } from './orders.ts';
import { isUnpaid, stateOfOrder } from './state.ts';
import type { Fields, TerminalCalls } from './terminal.ts';

const NOT_SENT = { kind: 'not-sent' } as const;
const UNKNOWN = { kind: 'unknown' } as const;

/** Asks the bank about a card before it is sent: the version of 3-D Secure, and whether the issuer has a 3DS Method. */
export async function prepareThreeDs(terminal: TerminalCalls, operationId: string, card: CardDetails): Promise<Prepared | Unanswered> {
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return found;
  const payment = found.payments.find(isUnpaid);
  if (payment === undefined) return UNKNOWN;
  const answer = await askVersion(terminal, payment, cardDataOf(card, terminal.cardKey));
  if (answer.kind !== 'answer') return answer;
  const isTold = answer.Success && answer.Version !== undefined;
  return isTold ? { kind: 'prepared', preparation: preparationOf(answer) } : UNKNOWN;
}

const askVersion = (terminal: TerminalCalls, { PaymentId }: TBankPayment, CardData: string) =>
  terminal.call('Check3dsVersion', { PaymentId, CardData });

function preparationOf({ Version, TdsServerTransID, ThreeDSMethodURL }: TBankAnswer): ThreeDsPreparation {
  const methodUrl = URL.parse(ThreeDSMethodURL ?? '');
  return {
    threeDsVersion: Version ?? null,
    threeDsServerTransId: TdsServerTransID ?? null,
    methodUrl: methodUrl !== null && /^https?:$/.test(methodUrl.protocol) ? methodUrl.href : null,
  };
}

/** Sends the buyer's card for the order's payment, unless one was sent already. */
export async function authorizeCard(terminal: TerminalCalls, authorization: Authorization): Promise<AcquirerResult> {
  const { operationId, card, saveCard } = authorization;
  const facts: CardFacts = { ...NO_CARD, mask: maskOf(card.number) };
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return NOT_SENT;
  const payment = found.payments.find(isUnpaid);
  if (payment === undefined || !found.payments.every(isUnpaid)) return stateOfOrder(found.payments, facts);

  const cardData = cardDataOf(card, terminal.cardKey);
  // A second request would begin a new authentication, not the one for which the 3DS Method ran.
  const prepared = authorization.prepared ?? (await prepareOrKeepBack(terminal, payment, cardData, facts));
  if ('kind' in prepared) return prepared;
  if (authorization.whenNotAuthenticated === 'DECLINE' && !canAuthenticate(prepared)) {
    return notAuthenticated(payment, prepared, facts);
  }
  const fields = { PaymentId: payment.PaymentId, CardData: cardData, ...buyerOf(authorization, prepared) };
  const answer = await terminal.call('FinishAuthorize', fields, headersOf(authorization.buyer));
  if (answer.kind !== 'answer') return answer;
  const state = authorized(payment, answer, prepared, facts);
  return state.kind === 'confirmed' && saveCard ? withSavedCard(terminal, operationId, state) : state;
}

/** Prepares the authentication, or returns the result of the order if the card is not sent after all. */
async function prepareOrKeepBack(
  terminal: TerminalCalls,
  payment: TBankPayment,
  cardData: string,
  card: CardFacts,
): Promise<ThreeDsPreparation | AcquirerResult> {
  const answer = await askVersion(terminal, payment, cardData);
  if (answer.kind !== 'answer') return NOT_SENT;
  if (answer.Success) return answer.Version === undefined ? NOT_SENT : preparationOf(answer);
  return refusedCard(payment, answer, card) ?? NOT_SENT;
}

function notAuthenticated({ PaymentId }: TBankPayment, prepared: ThreeDsPreparation, card: CardFacts): AcquirerResult {
  const threeDs = threeDsOf(prepared);
  return { kind: 'declined', bankOperationId: PaymentId, failureCode: 'AUTHENTICATION_FAILED', card, threeDs };
}

/** Makes the bank ask the issuer for the 3-D Secure result. */
export async function confirmThreeDs(terminal: TerminalCalls, operationId: string, wanted?: WantedFacts): Promise<AcquirerResult> {
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return found;
  const challenged = found.payments.find(({ Status }) => Status === '3DS_CHECKING');
  if (challenged === undefined) {
    const state = stateOfOrder(found.payments);
    return wanted?.challenge === true ? afterChallenge(state) : state;
  }
  // The bank asks the issuer's server itself; data from the buyer's browser is not passed on.
  const submitted = await terminal.call('Submit3DSAuthorizationV2', { PaymentId: challenged.PaymentId });
  return submitted.kind === 'fenced' ? submitted : afterChallenge(await readOrder(terminal, operationId));
}

/** Charges a card by its RebillId, once per order. */
export async function chargeSavedCard(terminal: TerminalCalls, charge: Charge): Promise<AcquirerResult> {
  const { operationId, amountKopecks, description, cardToken, receipt } = charge;
  // R: a recurring payment initiated by the merchant, with a saved card.
  const opened = await openOrder(terminal, { operationId, amountKopecks, description, receipt, initiator: 'R' });
  if (opened.kind !== 'unpaid') return opened;
  const { paymentId } = opened;
  const answer = await terminal.call('Charge', { PaymentId: paymentId, RebillId: cardToken });
  if (answer.kind !== 'answer') return answer;
  // Another call was first: its result is the answer.
  if (answer.Status === undefined && answer.ErrorCode === WRONG_STATUS) return readOrder(terminal, operationId);
  if (answer.Status === undefined) {
    // The bank refused to try: it does not know the token, or the terminal may not use Charge.
    return {
      kind: 'declined',
      bankOperationId: paymentId,
      failureCode: knownFailureOf(answer.ErrorCode) ?? 'PROCESSING_ERROR',
      card: NO_CARD,
    };
  }
  return stateOfOrder([moved(paymentId, answer)]);
}

/** "Неверный статус транзакции": the payment's state does not allow this call. */
const WRONG_STATUS = '8';

/** The payment after FinishAuthorize or Charge. */
function moved(paymentId: string, { Amount, Status = '', ErrorCode }: TBankAnswer): TBankPayment {
  return { PaymentId: paymentId, Amount, Status, ErrorCode };
}

/** The result of FinishAuthorize; `pending` with the issuer's page if 3-D Secure is needed. */
function authorized({ PaymentId }: TBankPayment, answer: TBankAnswer, prepared: ThreeDsPreparation, card: CardFacts): AcquirerResult {
  if (answer.Status === undefined) return refusedCard({ PaymentId }, answer, card) ?? UNKNOWN;
  const threeDs = threeDsOf(prepared);
  // For an authentication without the issuer's page the bank reports neither result nor ECI, only whether the payment continues.
  if (answer.Status !== '3DS_CHECKING') return withThreeDs(stateOfOrder([moved(PaymentId, answer)], card), threeDs);
  const { ACSUrl: acsUrl, AcsTransId: acsTransID } = answer;
  const threeDSServerTransID = answer.TdsServerTransId ?? prepared.threeDsServerTransId;
  if (typeof acsUrl !== 'string' || typeof acsTransID !== 'string' || typeof threeDSServerTransID !== 'string') {
    // 3-D Secure 1, which the schemes have retired: its PaReq contains the card's expiry and would have to be stored.
    return { kind: 'declined', bankOperationId: PaymentId, failureCode: 'CARD_NOT_SUPPORTED', card, threeDs };
  }
  // Source: www.tbank.ru/kassa/dev/payments, ACSUrl ("JSON … в форматe base-64"). Without padding, as the bank's own
  // mobile SDK sends it (ThreeDsActivity.kt). The alphabet is EMV's base64url; for this JSON both alphabets give the same.
  const creq = {
    threeDSServerTransID,
    acsTransID,
    challengeWindowSize: FULL_SCREEN,
    messageType: 'CReq',
    messageVersion: prepared.threeDsVersion ?? '2.1.0',
  };
  const acsRequest = Buffer.from(JSON.stringify(creq)).toString('base64url');
  return {
    kind: 'pending',
    bankOperationId: PaymentId,
    acsUrl,
    acsRequest,
    card,
    threeDs: { ...threeDs, transStatus: 'C', threeDsServerTransId: threeDSServerTransID, acsTransId: acsTransID },
  };
}

/** Whether the card supports 3-D Secure 2. */
const canAuthenticate = ({ threeDsVersion, threeDsServerTransId }: ThreeDsPreparation): boolean =>
  threeDsVersion?.startsWith('2') === true && threeDsServerTransId !== null;

const threeDsOf = ({ threeDsVersion, threeDsServerTransId }: ThreeDsPreparation): ThreeDs => ({
  ...NOT_TOLD,
  threeDsVersion,
  threeDsServerTransId,
});

function withThreeDs(result: AcquirerResult, threeDs: ThreeDs): AcquirerResult {
  return result.kind === 'confirmed' || result.kind === 'declined' || result.kind === 'pending' ? { ...result, threeDs } : result;
}

/** `05` in EMV 3-D Secure: the issuer's page fills the window. */
const FULL_SCREEN = '05';

/** The result for a card that the bank refused to try; undefined for an error that says nothing about the card. */
function refusedCard(
  { PaymentId }: Pick<TBankPayment, 'PaymentId'>,
  { ErrorCode }: TBankAnswer,
  card: CardFacts,
): AcquirerResult | undefined {
  const failureCode = knownFailureOf(ErrorCode);
  return failureCode === undefined ? undefined : { kind: 'declined', bankOperationId: PaymentId, failureCode, card };
}

/**
 * The browser data that 3-D Secure 2 passes to the issuer. The bank requires most of it, so common values are sent if
 * nothing was measured. Source: `3DSv2` of FinishAuthorize.
 */
function buyerOf({ buyer, returnUrl, isMethodDone }: Authorization, prepared: ThreeDsPreparation): Fields {
  const browser = buyer?.browser ?? { ...USUAL_BROWSER, language: buyer?.language ?? 'ru' };
  return {
    ...(buyer?.address === undefined ? {} : { IP: buyer.address }),
    DATA: {
      threeDSCompInd: methodCompletion(prepared, isMethodDone === true),
      language: browser.language,
      timezone: String(browser.timezoneOffsetMinutes),
      screen_height: String(browser.screenHeight),
      screen_width: String(browser.screenWidth),
      colorDepth: String(browser.colorDepth),
      javaEnabled: String(browser.isJavaEnabled),
      cresCallbackUrl: returnUrl,
    },
  };
}

const USUAL_BROWSER = {
  timezoneOffsetMinutes: -180,
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  isJavaEnabled: false,
} as const satisfies Omit<BrowserFacts, 'language'>;

/** "В HttpHeaders запроса обязательны заголовки User-Agent и Accept": with 3-D Secure 2 the bank treats them as the browser's. */
function headersOf(buyer: Buyer | undefined): Readonly<Record<string, string>> {
  return {
    ...(buyer?.userAgent === undefined ? {} : { 'user-agent': buyer.userAgent }),
    ...(buyer?.accept === undefined ? {} : { accept: buyer.accept }),
  };
}
