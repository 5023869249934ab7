import { NO_CARD, type CardFacts, type AcquirerResult } from '../../domain/acquiring/acquirer-result.ts';
import { NOT_TOLD, type ThreeDs } from '../../domain/acquiring/three-ds.ts';
import type { Order, WantedFacts } from '../acquirer.ts';
import { cutDescription } from '../description.ts';
import type { TBankPayment } from './answer.ts';
import { receiptFields } from './receipt.ts';
import { isTaken, isUnpaid, stateOfOrder } from './state.ts';
import type { Fields, TerminalCalls } from './terminal.ts';

const UNKNOWN = { kind: 'unknown' } as const;
/** "Ошибка повторного идентификатора заказа". */
const ORDER_EXISTS = '20';

/**
 * Reads an order. With `wanted.savedCard` a confirmation includes the card's token, or is not returned at all; with
 * `wanted.challenge` it includes the result of the buyer's visit to the issuer's page.
 */
export async function readOrder(terminal: TerminalCalls, operationId: string, wanted?: WantedFacts): Promise<AcquirerResult> {
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return found;
  const told = stateOfOrder(found.payments);
  const state = wanted?.challenge === true ? afterChallenge(told) : told;
  const wantsCard = state.kind === 'confirmed' && wanted?.savedCard === true;
  return wantsCard ? withSavedCard(terminal, operationId, state) : state;
}

/**
 * Adds the result of the buyer's visit to the issuer's page, which the payment's state shows: the payment continues only
 * after "успешном прохождении", and a challenge ends with either Y or N. Source: Submit3DSAuthorizationV2, and `cres` of
 * ACSUrl, of www.tbank.ru/kassa/dev/payments (OpenAPI copy of 2025-09 in github.com/kravetsone/t-kassa-api).
 */
export function afterChallenge(state: AcquirerResult): AcquirerResult {
  const ended = (transStatus: ThreeDs['transStatus']): ThreeDs => ({ ...NOT_TOLD, transStatus });
  if (state.kind === 'confirmed') return { ...state, threeDs: ended('Y') };
  const isFailed = state.kind === 'declined' && state.failureCode === 'AUTHENTICATION_FAILED';
  return isFailed ? { ...state, threeDs: ended('N') } : state;
}

/**
 * Adds the card that a payment saved. Its `CustomerKey` is our operation id, so the bank's list of the buyer's cards has
 * only this one. Without an answer the whole result is unknown: a payment confirmed without the token would never get it.
 */
export async function withSavedCard(
  terminal: TerminalCalls,
  operationId: string,
  confirmed: Extract<AcquirerResult, { kind: 'confirmed' }>,
): Promise<AcquirerResult> {
  const answer = await terminal.listCards(operationId);
  if (answer.kind !== 'cards') return UNKNOWN;
  const saved = answer.cards.find(({ Status, RebillId }) => Status === 'A' && RebillId !== null && RebillId !== '');
  if (saved === undefined) return confirmed;
  const expiry = /^(0[1-9]|1[0-2])(\d{2})$/.exec(saved.ExpDate ?? '');
  const card: CardFacts = {
    mask: /^\d{6}\*+\d{4}$/.test(saved.Pan ?? '') ? (saved.Pan ?? null) : confirmed.card.mask,
    expiry: expiry === null ? confirmed.card.expiry : `20${String(expiry[2])}-${String(expiry[1])}`,
    token: saved.RebillId ?? null,
  };
  return { ...confirmed, card };
}

type Unpaid = { readonly kind: 'unpaid'; readonly paymentId: string };
/** What Init needs. `initiator`: OperationInitiatorType, who initiates the payment and with which card. */
type Opened = Pick<Order, 'operationId' | 'amountKopecks' | 'description'> &
  Partial<Pick<Order, 'expiresAt' | 'returnUrl'>> & {
    readonly initiator: '0' | '1' | 'R';
    readonly receipt?: Order['receipt'] | undefined;
  };

/** The unpaid payment of an order: the existing one, or a new one. */
export async function openOrder(terminal: TerminalCalls, order: Opened): Promise<Unpaid | AcquirerResult> {
  const found = await terminal.find(order.operationId);
  // Nothing that the bank would act on was sent, whether or not the query arrived.
  if (found.kind !== 'found') return { kind: 'not-sent' };
  const unpaid = found.payments.find(isUnpaid);
  if (unpaid !== undefined && found.payments.every(isUnpaid)) return { kind: 'unpaid', paymentId: unpaid.PaymentId };
  if (found.payments.length > 0) return stateOfOrder(found.payments);
  const answer = await terminal.call('Init', initOf(terminal, order));
  if (answer.kind !== 'answer') return answer;
  if (answer.Success && answer.PaymentId !== undefined) return { kind: 'unpaid', paymentId: answer.PaymentId };
  // The order exists after all; CheckOrder did not show it yet. The next read finds it.
  if (answer.ErrorCode === ORDER_EXISTS) return UNKNOWN;
  return { kind: 'declined', bankOperationId: null, failureCode: 'PROCESSING_ERROR', card: NO_CARD };
}

function initOf(
  { notificationUrl }: TerminalCalls,
  { operationId, amountKopecks, description, initiator, receipt, ...order }: Opened,
): Fields {
  return {
    Amount: amountKopecks,
    OrderId: operationId,
    Description: cutDescription(description),
    // One stage: the money is taken at once, whatever the terminal's setting.
    PayType: 'O',
    ...(order.expiresAt === undefined ? {} : { RedirectDueDate: dueDate(order.expiresAt) }),
    ...(order.returnUrl === undefined ? {} : { SuccessURL: order.returnUrl, FailURL: order.returnUrl }),
    ...(initiator === '1' ? { Recurrent: 'Y', CustomerKey: operationId } : {}),
    ...(notificationUrl === undefined ? {} : { NotificationURL: notificationUrl }),
    DATA: { OperationInitiatorType: initiator },
    ...receiptFields(receipt),
  };
}

export async function registerOrder(terminal: TerminalCalls, order: Order): Promise<AcquirerResult> {
  // 0: the card is not saved. 1: the buyer lets us save it (Recurrent=Y, which yields a RebillId).
  const opened = await openOrder(terminal, { ...order, initiator: order.savesCard === true ? '1' : '0' });
  if (opened.kind === 'unpaid') return { kind: 'registered', bankOperationId: opened.paymentId, nspkUrl: null };
  // The bank had the order already, and it is paid.
  const wantsCard = opened.kind === 'confirmed' && order.savesCard === true;
  return wantsCard ? withSavedCard(terminal, order.operationId, opened) : opened;
}

export async function createQr(terminal: TerminalCalls, order: Order): Promise<AcquirerResult> {
  const opened = await openOrder(terminal, { ...order, initiator: '0' });
  if (opened.kind !== 'unpaid') return opened;
  const { paymentId } = opened;
  const answer = await terminal.call('GetQr', { PaymentId: paymentId, DataType: 'PAYLOAD' });
  // The order exists, but not its QR code: it is requested again.
  if (answer.kind !== 'answer') return answer.kind === 'fenced' ? answer : UNKNOWN;
  if (!answer.Success || answer.Data === undefined || !URL.canParse(answer.Data)) {
    return { kind: 'declined', bankOperationId: paymentId, failureCode: 'PROCESSING_ERROR', card: NO_CARD };
  }
  return { kind: 'registered', bankOperationId: paymentId, nspkUrl: answer.Data };
}

/** Withdraws an unpaid order. */
export async function cancelOrder(terminal: TerminalCalls, operationId: string): Promise<AcquirerResult> {
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return found;
  const unpaid = found.payments.filter(isUnpaid);
  // Paid after all: other open payments are withdrawn when this one is booked (`cancelOthers`).
  if (unpaid.length === 0 || found.payments.some(isTaken)) return stateOfOrder(found.payments);
  return cancelPayments(terminal, operationId, unpaid);
}

/** Withdraws everything of a paid order that could still be paid. */
export async function cancelOthers(terminal: TerminalCalls, operationId: string, kept: string): Promise<AcquirerResult> {
  const found = await terminal.find(operationId);
  if (found.kind !== 'found') return found;
  const others = found.payments.filter((payment) => isUnpaid(payment) && payment.PaymentId !== kept);
  return cancelPayments(terminal, operationId, others);
}

/** Cancelling a payment that was paid at this very moment refunds it at once (REFUNDED), which counts as cancelled. */
async function cancelPayments(terminal: TerminalCalls, operationId: string, payments: readonly TBankPayment[]): Promise<AcquirerResult> {
  for (const { PaymentId } of payments) {
    const answer = await terminal.call('Cancel', { PaymentId });
    if (answer.kind !== 'answer') return answer;
  }
  return readOrder(terminal, operationId);
}

/** `2016-08-31T12:28:00+03:00`; without milliseconds. Source: Init, RedirectDueDate. */
function dueDate(expiresAt: Date): string {
  return expiresAt.toISOString().replace(/\.\d+Z$/, '+00:00');
}
