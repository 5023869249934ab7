import type { RequestHandler } from 'express';
import { z } from 'zod';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { eraseBuyer } from '../../use-cases/erase-buyer.ts';
import { readAnyBinding, readConsent, type Consent } from '../../use-cases/read-consent.ts';
import { renderBinding } from '../render.ts';

const id = z.uuid('must be a UUID').transform((text) => text.toLowerCase());
const BindingPath = z.object({ bindingId: id });
const ConsentPath = z.object({ consentId: id });

/** GET /operator/bindings/{bindingId}: of whichever partner, with the consent that it stands on. */
export function getOperatorBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { bindingId } = validate(BindingPath, req.params);
    const { binding, consent } = await readAnyBinding(deps, operatorOf(res).login, bindingId);
    res.json({
      partnerID: binding.partnerId,
      ...renderBinding(binding),
      openPaymentId: binding.openPaymentId,
      consent: consent === undefined ? null : renderConsent(consent),
    });
  };
}

/** POST /operator/bindings/{bindingId}/erase-buyer. Again: nothing is left to erase, payments is told once more. */
export function eraseBuyerRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { bindingId } = validate(BindingPath, req.params);
    res.json(await eraseBuyer(deps, operatorOf(res).login, bindingId));
  };
}

/** GET /operator/consents/{consentId}: a consent with all its evidence, also one that no binding came of. */
export function getOperatorConsentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { consentId } = validate(ConsentPath, req.params);
    res.json(renderConsent(await readConsent(deps, operatorOf(res).login, consentId)));
  };
}

function renderConsent(consent: Consent): Readonly<Record<string, unknown>> {
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
