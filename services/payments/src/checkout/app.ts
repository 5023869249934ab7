import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { Express } from 'express';
import type { CheckoutDeps } from '../deps.ts';
import { sendCard } from '../use-cases/admit-card.ts';
import { answerConsent } from '../use-cases/answer-consent.ts';
import { cancelByBuyer } from '../use-cases/cancel-by-buyer.ts';
import { openForm } from '../use-cases/open-form.ts';
import { openSavedCard, revokeSavedCard } from '../use-cases/open-saved-card.ts';
import { openThreeDsMethod, prepareCard } from '../use-cases/prepare-card.ts';
import { confirmThreeDs, returnFromBank, watchBank } from '../use-cases/return-from-bank.ts';
import { createForm } from './form.ts';
import type { Limits } from './limits.ts';

/** The hosted form over this service's use cases: an origin and a process of its own. */
export function createFormApp(deps: CheckoutDeps, proxies: TrustedProxies, limits: Limits): Express {
  return createForm({
    log: deps.log,
    formUrl: deps.formUrl,
    proxies,
    limits,
    isHttps: deps.formUrl.startsWith('https:'),
    openForm: (formToken, payerKey) => openForm(deps, formToken, payerKey),
    answerConsent: (answer) => answerConsent(deps, answer),
    prepareCard: (command) => prepareCard(deps, command),
    openThreeDsMethod: (formToken, ticket) => openThreeDsMethod(deps, formToken, ticket),
    sendCard: (command) => sendCard(deps, command),
    cancelByBuyer: (formToken) => cancelByBuyer(deps, formToken),
    returnFromBank: (formToken) => returnFromBank(deps, formToken),
    watchBank: (formToken) => watchBank(deps, formToken),
    confirmThreeDs: (formToken) => confirmThreeDs(deps, formToken),
    openSavedCard: (savedCardLink) => openSavedCard(deps, savedCardLink),
    revokeSavedCard: (savedCardLink) => revokeSavedCard(deps, savedCardLink),
  });
}
