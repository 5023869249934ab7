import type { Log } from '@pay/shared/logging/logger.ts';
import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { SendCard, SendCardOutcome } from '../use-cases/admit-card.ts';
import type { AnswerConsent } from '../use-cases/answer-consent.ts';
import type { FormPayment } from '../use-cases/open-form.ts';
import type { SavedCardAnswer } from '../use-cases/open-saved-card.ts';
import type { Limits } from './limits.ts';

/** What the form's pages need: see the use cases of the same names. */
export type FormPort = {
  readonly log: Log;
  readonly limits: Limits;
  /** Buyers reach the form by https. */
  readonly isHttps: boolean;
  /** Who may say what a buyer's address is. */
  readonly proxies: TrustedProxies;
  openForm(formToken: string, payerKey?: string): Promise<FormPayment | undefined>;
  answerConsent(answer: AnswerConsent): Promise<void>;
  sendCard(command: SendCard): Promise<SendCardOutcome>;
  cancelByBuyer(formToken: string): Promise<void>;
  returnFromBank(formToken: string): Promise<void>;
  watchBank(formToken: string): Promise<void>;
  confirmThreeDs(formToken: string): Promise<void>;
  openSavedCard(link: string): Promise<SavedCardAnswer>;
  revokeSavedCard(link: string): Promise<SavedCardAnswer>;
};
