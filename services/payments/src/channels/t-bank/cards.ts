import { NO_CARD, type CardFacts, type ChannelResult } from '../../domain/channel-result.ts';
import { NOT_TOLD, type ThreeDs } from '../../domain/three-ds.ts';
import type { Authorization, Charge, WantedFacts } from '../channel.ts';
import type { TBankAnswer, TBankPayment } from './answer.ts';
import { cardDataOf, maskOf } from './card-data.ts';
import { knownFailureOf } from './failure.ts';
import { afterChallenge, openOrder, readOrder, withSavedCard } from './orders.ts';
import { isUnpaid, stateOfOrder } from './state.ts';
import type { Fields, TerminalCalls } from './terminal.ts';

const NOT_SENT = { kind: 'not-sent' } as const;
const UNKNOWN = { kind: 'unknown' } as const;

/** Sends the typed card for the order's payment, unless one went already. */
export async function authorizeCard(terminal: TerminalCalls, authorization: Authorization): Promise<ChannelResult> {
  const { operationId, card, saveCard } = authorization;
  const facts: CardFacts = { ...NO_CARD, mask: maskOf(card.number) };
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return NOT_SENT;
  const payment = found.payments.find(isUnpaid);
  if (payment === undefined || !found.payments.every(isUnpaid)) return stateOfOrder(found.payments, facts);

  const cardData = cardDataOf(card, terminal.cardKey);
  const version = await terminal.call('Check3dsVersion', { PaymentId: payment.PaymentId, CardData: cardData });
  if (version.kind !== 'answer') return NOT_SENT;
  const keptBack = whyKeptBack(payment, version, authorization, facts);
  if (keptBack !== undefined) return keptBack;
  const answer = await terminal.call('FinishAuthorize', {
    PaymentId: payment.PaymentId,
    CardData: cardData,
    ...(authorization.buyer?.address === undefined ? {} : { IP: authorization.buyer.address }),
    DATA: browserOf(authorization, version),
  });
  if (answer.kind !== 'answer') return answer;
  const state = authorized(payment, answer, version, facts);
  return state.kind === 'confirmed' && saveCard ? withSavedCard(terminal, operationId, state) : state;
}

/** What becomes of the order when the card is not sent after all; undefined: it is sent. */
function whyKeptBack(
  payment: TBankPayment,
  version: TBankAnswer,
  { whenNotAuthenticated }: Authorization,
  card: CardFacts,
): ChannelResult | undefined {
  if (!version.Success) return refusedCard(payment, version, card) ?? NOT_SENT;
  if (whenNotAuthenticated === 'ACCEPT' || canAuthenticate(version)) return undefined;
  const { PaymentId: bankOperationId } = payment;
  const threeDs = threeDsOf(version);
  return { kind: 'declined', bankOperationId, failureCode: 'AUTHENTICATION_FAILED', card, threeDs };
}

/** Makes the bank ask the issuer how 3-D Secure went. */
export async function confirmThreeDs(
  terminal: TerminalCalls,
  operationId: string,
  wanted?: WantedFacts,
): Promise<ChannelResult> {
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return found;
  const challenged = found.payments.find(({ Status }) => Status === '3DS_CHECKING');
  if (challenged === undefined) {
    const state = stateOfOrder(found.payments);
    return wanted?.challenge === true ? afterChallenge(state) : state;
  }
  // The bank asks the issuer's server itself; what the buyer's browser brought is not passed on.
  const submitted = await terminal.call('Submit3DSAuthorizationV2', { PaymentId: challenged.PaymentId });
  return submitted.kind === 'fenced' ? submitted : afterChallenge(await readOrder(terminal, operationId));
}

/** Charges a card by its RebillId, once an order. */
export async function chargeSavedCard(terminal: TerminalCalls, charge: Charge): Promise<ChannelResult> {
  const { operationId, amountKopecks, description, cardToken } = charge;
  // R: repeated at the merchant's initiative, by a card that is kept.
  const opened = await openOrder(terminal, { operationId, amountKopecks, description, initiator: 'R' });
  if (opened.kind !== 'unpaid') return opened;
  const { paymentId } = opened;
  const answer = await terminal.call('Charge', { PaymentId: paymentId, RebillId: cardToken });
  if (answer.kind !== 'answer') return answer;
  // Another call was first: what became of it is the answer.
  if (answer.Status === undefined && answer.ErrorCode === WRONG_STATUS) return readOrder(terminal, operationId);
  if (answer.Status === undefined) {
    // The bank would not charge it at all: a token it does not know, or a terminal without Charge.
    return { kind: 'declined', bankOperationId: paymentId, failureCode: knownFailureOf(answer.ErrorCode) ?? 'PROCESSING_ERROR', card: NO_CARD }; // prettier-ignore
  }
  return stateOfOrder([moved(paymentId, answer)]);
}

/** "Неверный статус транзакции": the payment is not in a state that takes this call. */
const WRONG_STATUS = '8';

/** What FinishAuthorize or Charge made of a payment. */
function moved(paymentId: string, { Amount, Status = '', ErrorCode }: TBankAnswer): TBankPayment {
  return { PaymentId: paymentId, Amount, Status, ErrorCode };
}

/** What FinishAuthorize answered; `pending` with the issuer's page when 3-D Secure is needed. */
function authorized(
  { PaymentId }: TBankPayment,
  answer: TBankAnswer,
  version: TBankAnswer,
  card: CardFacts,
): ChannelResult {
  if (answer.Status === undefined) return refusedCard({ PaymentId }, answer, card) ?? UNKNOWN;
  const threeDs = threeDsOf(version);
  // The bank does not say how an authentication without the issuer's page ended, nor its ECI: only that it goes on, or not.
  if (answer.Status !== '3DS_CHECKING') return withThreeDs(stateOfOrder([moved(PaymentId, answer)], card), threeDs);
  const { ACSUrl: acsUrl, AcsTransId: acsTransID } = answer;
  const threeDSServerTransID = answer.TdsServerTransId ?? version.TdsServerTransID;
  if (typeof acsUrl !== 'string' || typeof acsTransID !== 'string' || typeof threeDSServerTransID !== 'string') {
    // 3-D Secure 1, which no scheme supports any more: its PaReq names the card's expiry, and would have to be stored.
    return { kind: 'declined', bankOperationId: PaymentId, failureCode: 'CARD_NOT_SUPPORTED', card, threeDs };
  }
  // Source: www.tbank.ru/kassa/dev/payments, ACSUrl ("JSON … в форматe base-64"). Without `=` at its end, as the bank's own
  // mobile SDK sends it (ThreeDsActivity.kt). Of the alphabets it is EMV's, base64url: in this JSON both write the same.
  const creq = {
    threeDSServerTransID,
    acsTransID,
    challengeWindowSize: FULL_SCREEN,
    messageType: 'CReq',
    messageVersion: version.Version ?? '2.1.0',
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

/** Whether 3-D Secure 2 asks the issuer of the card at all. */
const canAuthenticate = ({ Version, TdsServerTransID }: TBankAnswer): boolean =>
  Version?.startsWith('2') === true && typeof TdsServerTransID === 'string';

/** What Check3dsVersion says of an authentication that is about to begin. */
function threeDsOf({ Version, TdsServerTransID }: TBankAnswer): ThreeDs {
  return { ...NOT_TOLD, threeDsVersion: Version ?? null, threeDsServerTransId: TdsServerTransID ?? null };
}

function withThreeDs(result: ChannelResult, threeDs: ThreeDs): ChannelResult {
  return result.kind === 'confirmed' || result.kind === 'declined' || result.kind === 'pending'
    ? { ...result, threeDs }
    : result;
}

/** `05` of EMV 3-D Secure: the issuer's page takes the whole window. */
const FULL_SCREEN = '05';

/** The bank would not even try this card; undefined for an error that says nothing about the card. */
function refusedCard(
  { PaymentId }: Pick<TBankPayment, 'PaymentId'>,
  { ErrorCode }: TBankAnswer,
  card: CardFacts,
): ChannelResult | undefined {
  const failureCode = knownFailureOf(ErrorCode);
  return failureCode === undefined ? undefined : { kind: 'declined', bankOperationId: PaymentId, failureCode, card };
}

/**
 * What 3-D Secure 2 tells the issuer about the browser. The form measures no screen, so usual values stand in; the 3DS
 * Method (a hidden frame of the issuer) is not run, which `N` says, or `U` where there is none.
 */
function browserOf({ buyer, returnUrl }: Authorization, { ThreeDSMethodURL }: TBankAnswer): Fields {
  return {
    threeDSCompInd: (ThreeDSMethodURL ?? '') === '' ? 'U' : 'N',
    language: buyer?.language ?? 'ru',
    timezone: '-180',
    screen_height: '1080',
    screen_width: '1920',
    colorDepth: '24',
    javaEnabled: 'false',
    cresCallbackUrl: returnUrl,
  };
}
