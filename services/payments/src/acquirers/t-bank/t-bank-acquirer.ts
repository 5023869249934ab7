import type { Acquirer } from '../acquirer.ts';
import { withBulkheads } from '../bulkhead.ts';
import { authorizeCard, chargeSavedCard, confirmThreeDs, prepareThreeDs } from './cards.ts';
import { cancelOrder, cancelOthers, createQr, readOrder, registerOrder } from './orders.ts';
import { readRefund, refundPayment } from './refunds.ts';
import { createTerminal, type TBankOptions } from './terminal.ts';

export type TBankAcquirer = Acquirer & {
  /** Closes the connections. */
  close(): Promise<void>;
};

/**
 * The connector to T-Bank's e-acquiring (T‑Касса), for merchants with a payment form of their own: one-stage payments by card
 * (Init, Check3dsVersion, FinishAuthorize, Submit3DSAuthorizationV2), by a saved card (Init, Charge) and by SBP (Init,
 * GetQr); refunds and withdrawals by Cancel. Source: www.tbank.ru/kassa/dev/payments and developer.tbank.ru/eacq.
 *
 * The bank counts payments, not our operations: `OrderId` is our operation id (36 characters, the bank's maximum), and
 * CheckOrder finds its payments. It is called before every call that creates or moves something, so that a repeat
 * after a lost answer continues where the first one got to (decisions/unknown-outcomes). The state of an order is what
 * CheckOrder reports; the answer of another method is trusted only if that method moved the payment itself.
 */
export function createTBankAcquirer(options: TBankOptions): TBankAcquirer {
  const terminal = createTerminal(options);
  return withBulkheads({
    takesReceipts: true,
    get isAvailable() {
      return terminal.isAvailable();
    },
    register: (order, fence) => registerOrder(terminal.begin(fence), order),
    createQr: (order, fence) => createQr(terminal.begin(fence), order),
    prepareThreeDs: (operationId, card) => prepareThreeDs(terminal.begin(), operationId, card),
    authorize: (authorization, fence) => authorizeCard(terminal.begin(fence), authorization),
    confirmThreeDs: (operationId, fence, wanted) => confirmThreeDs(terminal.begin(fence), operationId, wanted),
    charge: (charge, fence) => chargeSavedCard(terminal.begin(fence), charge),
    read: (operationId, wanted) => readOrder(terminal.begin(), operationId, wanted),
    cancelOthers: (operationId, kept, fence) => cancelOthers(terminal.begin(fence), operationId, kept),
    cancel: (operationId, fence) => cancelOrder(terminal.begin(fence), operationId),
    refund: (refund, fence) => refundPayment(terminal.begin(fence), refund),
    readRefund: (refund) => readRefund(terminal.begin(), refund),
    // The bank sends its register as a file ("Формат реестра"); no method reads it.
    readRegister: undefined,
    close: () => terminal.close(),
  });
}
