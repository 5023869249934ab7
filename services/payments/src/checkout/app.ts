import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { Express } from 'express';
import type { CheckoutDeps } from '../deps.ts';
import { sendCard } from '../use-cases/checkout/admit-card.ts';
import { answerConsent } from '../use-cases/checkout/answer-consent.ts';
import { cancelByBuyer } from '../use-cases/checkout/cancel-by-buyer.ts';
import { chooseWay } from '../use-cases/checkout/choose-way.ts';
import { openCheckout } from '../use-cases/checkout/open-checkout.ts';
import { openSavedCard, revokeSavedCard } from '../use-cases/saved-card/open-saved-card.ts';
import { openThreeDsMethod, prepareCard } from '../use-cases/checkout/prepare-card.ts';
import { confirmThreeDs, returnFromBank, watchBank } from '../use-cases/checkout/return-from-bank.ts';
import { createCheckout } from './routes.ts';
import type { Limits } from './limits.ts';

/** The checkout over this service's use cases: an origin and a process of its own. */
export function createCheckoutApp(deps: CheckoutDeps, proxies: TrustedProxies, limits: Limits): Express {
  return createCheckout({
    log: deps.log,
    checkoutUrl: deps.checkoutUrl,
    proxies,
    limits,
    isHttps: deps.checkoutUrl.startsWith('https:'),
    openCheckout: (checkoutToken, payerKey) => openCheckout(deps, checkoutToken, payerKey),
    answerConsent: (answer) => answerConsent(deps, answer),
    prepareCard: (command) => prepareCard(deps, command),
    openThreeDsMethod: (checkoutToken, ticket) => openThreeDsMethod(deps, checkoutToken, ticket),
    sendCard: (command) => sendCard(deps, command),
    chooseWay: (command) => chooseWay(deps, command),
    cancelByBuyer: (checkoutToken) => cancelByBuyer(deps, checkoutToken),
    returnFromBank: (checkoutToken) => returnFromBank(deps, checkoutToken),
    watchBank: (checkoutToken) => watchBank(deps, checkoutToken),
    confirmThreeDs: (checkoutToken) => confirmThreeDs(deps, checkoutToken),
    openSavedCard: (savedCardLink) => openSavedCard(deps, savedCardLink),
    revokeSavedCard: (savedCardLink) => revokeSavedCard(deps, savedCardLink),
  });
}
