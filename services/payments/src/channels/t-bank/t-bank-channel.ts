import type { Channel } from '../channel.ts';
import { authorizeCard, chargeSavedCard, confirmThreeDs } from './cards.ts';
import { cancelOrder, createQr, readOrder, registerOrder } from './orders.ts';
import { readRefund, refundPayment } from './refunds.ts';
import { createTerminal, type TBankOptions } from './terminal.ts';

export type TBankChannel = Channel & {
  /** Closes the connections. */
  close(): Promise<void>;
};

/**
 * The connector to T-Bank's e-acquiring (T‑Касса), for merchants with a form of their own: one-stage payments by card
 * (Init, Check3dsVersion, FinishAuthorize, Submit3DSAuthorizationV2), by a saved card (Init, Charge) and by SBP (Init,
 * GetQr); refunds and withdrawals by Cancel. Source: www.tbank.ru/kassa/dev/payments and developer.tbank.ru/eacq.
 *
 * The bank counts payments, not our operations: `OrderId` is our operation id (36 characters, as many as it takes), and
 * CheckOrder finds the payments of one. It is asked before every call that makes or moves something, so that a repeat
 * after a lost answer goes on where the first got to (ADR 0051). The state of an order is what CheckOrder says; what
 * another method answered is only believed where it moved the payment itself.
 */
export function createTBankChannel(options: TBankOptions): TBankChannel {
  const terminal = createTerminal(options);
  return {
    get isAvailable() {
      return terminal.isAvailable();
    },
    register: (order) => registerOrder(terminal, order),
    createQr: (order) => createQr(terminal, order),
    authorize: (authorization) => authorizeCard(terminal, authorization),
    confirmThreeDs: (operationId) => confirmThreeDs(terminal, operationId),
    charge: (charge) => chargeSavedCard(terminal, charge),
    read: (operationId, wanted) => readOrder(terminal, operationId, wanted),
    cancel: (operationId) => cancelOrder(terminal, operationId),
    refund: (refund) => refundPayment(terminal, refund),
    readRefund: (refund) => readRefund(terminal, refund),
    // The bank sends its register as a file ("Формат реестра"); there is no method that reads one.
    readRegister: undefined,
    close: () => terminal.close(),
  };
}
