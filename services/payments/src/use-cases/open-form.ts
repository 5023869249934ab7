import type { FailureCode } from '@pay/contract/messages.ts';
import type { Deps } from '../deps.ts';
import type { PaymentStatus } from '../domain/payment-status.ts';

/** A payment as the hosted form shows it. */
export type FormPayment = {
  readonly paymentId: string;
  readonly formToken: string;
  readonly storeName: string;
  readonly merchantOrderId: string;
  readonly description: string;
  readonly amountKopecks: bigint;
  /** PENDING from the moment a card is on its way to the bank, so that nobody is asked for a card twice. */
  readonly status: PaymentStatus;
  readonly expiresAt: Date;
  /** The database's now, which `expiresAt` is to be compared with. */
  readonly now: Date;
  readonly failureCode?: FailureCode;
  /** The bank's 3-D Secure page while the buyer has to go there. */
  readonly acsUrl?: string;
  readonly cardMask?: string;
  /** Where the shop wants the buyer back; absent when it never said. */
  readonly returnUrl?: string;
  readonly environment: 'TEST' | 'LIVE';
};

/** What the form behind this token shows. Undefined when no payment has the token. Changes nothing. */
export async function openForm(deps: Deps, formToken: string): Promise<FormPayment | undefined> {
  throw new Error(`not written yet ${deps.environment}${String(formToken.length)}`);
}
