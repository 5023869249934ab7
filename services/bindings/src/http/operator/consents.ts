import type { RequestHandler } from 'express';
import type { BindingWithConsent, Consent as ConsentRecord, ErasedBindings } from '@pay/contract/operator/consents.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { eraseBuyer } from '../../use-cases/erase-buyer.ts';
import { readAnyBinding, readConsent, type Consent } from '../../use-cases/read-consent.ts';
import { renderAnyBinding } from './bindings.ts';

/** GET /operator/bindings/{bindingId}: of any partner, with the consent it stands on. */
export function getOperatorBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { binding, consent } = await readAnyBinding(deps, operatorOf(res).login, pathId(req, 'bindingId'));
    const answer: BindingWithConsent = {
      ...renderAnyBinding(binding),
      consent: consent === undefined ? null : renderConsent(consent),
    };
    res.json(answer);
  };
}

/** POST /operator/bindings/{bindingId}/erase-buyer. Repeated, it erases nothing more and notifies payments once more. */
export function eraseBuyerRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const erased: ErasedBindings = await eraseBuyer(deps, operatorOf(res).login, pathId(req, 'bindingId'));
    res.json(erased);
  };
}

/** GET /operator/consents/{consentId}: a consent with all its evidence, even if no binding came of it. */
export function getOperatorConsentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderConsent(await readConsent(deps, operatorOf(res).login, pathId(req, 'consentId'))));
  };
}

function renderConsent(consent: Consent): ConsentRecord {
  return {
    consentId: consent.consentId,
    bindingId: consent.bindingId,
    paymentId: consent.paymentId,
    partnerID: consent.partnerId,
    customerId: consent.customerId,
    storeName: consent.storeName,
    period: consent.period,
    capture: consent.consentCapture,
    text: consent.text,
    version: consent.version,
    sha256: consent.sha256,
    reference: consent.reference,
    acceptedAt: consent.acceptedAt.toISOString(),
    address: consent.address,
    userAgent: consent.userAgent,
    recordedAt: consent.createdAt.toISOString(),
  };
}
