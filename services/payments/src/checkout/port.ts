import type { Log } from '@pay/shared/logging/logger.ts';
import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { SendCard, SendCardOutcome } from '../use-cases/checkout/admit-card.ts';
import type { AnswerConsent } from '../use-cases/checkout/answer-consent.ts';
import type { ChooseWay, ChooseWayOutcome } from '../use-cases/checkout/choose-way.ts';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import type { PrepareCard, PreparedCard, ThreeDsMethod } from '../use-cases/checkout/prepare-card.ts';
import type { SavedCardAnswer } from '../use-cases/saved-card/open-saved-card.ts';
import type { Limits } from './limits.ts';

/** What the checkout's pages need. See the use cases of the same names. */
export type CheckoutPort = {
  readonly log: Log;
  readonly limits: Limits;
  /** Whether buyers reach the checkout by https. */
  readonly isHttps: boolean;
  /** Origin of these pages as browsers know it, without a trailing slash. */
  readonly checkoutUrl: string;
  /** The proxies trusted to report a buyer's address. */
  readonly proxies: TrustedProxies;
  openCheckout(checkoutToken: string, payerKey?: string): Promise<CheckoutPayment | undefined>;
  answerConsent(answer: AnswerConsent): Promise<void>;
  prepareCard(command: PrepareCard): Promise<PreparedCard | undefined>;
  openThreeDsMethod(checkoutToken: string, ticket: string): Promise<ThreeDsMethod | undefined>;
  sendCard(command: SendCard): Promise<SendCardOutcome>;
  chooseWay(command: ChooseWay): Promise<ChooseWayOutcome>;
  cancelByBuyer(checkoutToken: string): Promise<void>;
  returnFromBank(checkoutToken: string): Promise<void>;
  watchBank(checkoutToken: string): Promise<void>;
  confirmThreeDs(checkoutToken: string): Promise<void>;
  openSavedCard(link: string): Promise<SavedCardAnswer>;
  revokeSavedCard(link: string): Promise<SavedCardAnswer>;
};
