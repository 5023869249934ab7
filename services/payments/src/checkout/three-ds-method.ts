import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clientAddress } from '@pay/shared/net/client-address.ts';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { readBrowser } from './browser-facts.ts';
import { cardFields, readCard } from './card-input.ts';
import { paths } from './links.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { renderMethodDone, renderMethodFrame } from './pages/method-page.ts';
import type { CheckoutPort } from './port.ts';
import { findPayment, formFields, sourceOf } from './request.ts';
import { isCurrentForm } from './is-current-form.ts';

/**
 * POST by the card page's script before it sends the card: returns the ticket, and whether the issuer's 3DS Method should run
 * first. The answer is empty if anything is wrong: sending the card reports what (decisions/three-d-secure).
 */
export function prepareCard(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const payment = await findPayment(port, req);
    const fields = formFields(req);
    const read = readCard(cardFields(fields), payment.now, payment.environment);
    const isWanted = isCurrentForm(payment, fields) && read.kind === 'card';
    const prepared = isWanted
      ? await port.prepareCard({ checkoutToken: payment.checkoutToken, card: read.card, source: sourceOf(port, req) })
      : undefined;
    res.json(prepared ?? {});
  };
}

/** POST by the same script into a hidden frame: the page that opens the issuer's 3DS Method. */
export function showMethodFrame(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const { checkoutToken } = await findPayment(port, req);
    const method = await port.openThreeDsMethod(checkoutToken, formFields(req).get('ticket') ?? '');
    if (method === undefined) throw new ApiError('NOT_FOUND');
    allowFrame(res, new URL(method.url).origin);
    const threeDSMethodNotificationURL = `${port.checkoutUrl}${paths.methodDone(checkoutToken)}`;
    const { threeDsServerTransId: threeDSServerTransID } = method;
    res.type('html').send(renderMethodFrame(method.url, { threeDSServerTransID, threeDSMethodNotificationURL }));
  };
}

/**
 * POST that the issuer's page sends when it is done: from another site's form, inside our frame. The authentication that it names is
 * reported to the surrounding card page; nothing is changed or queried.
 */
export function takeMethodNotification(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    await findPayment(port, req);
    const named = Notification.safeParse(decoded(formFields(req).get('threeDSMethodData') ?? ''));
    allowFrame(res);
    res.type('html').send(renderMethodDone(named.success ? named.data.threeDSServerTransID : ''));
  };
}

const Notification = z.object({ threeDSServerTransID: z.string().max(64) });

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Lets our card page frame the response, and lets the response frame and post to the issuer's page, if there is one. */
function allowFrame(res: Response, issuer?: string): void {
  const to = issuer === undefined ? '' : ` ${issuer}`;
  const policy = PAGE_HEADERS['Content-Security-Policy']
    .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    .replace("frame-src 'self'", `frame-src 'self'${to}`)
    .replace("form-action 'self'", `form-action 'self'${to}`);
  res.set({ 'Content-Security-Policy': policy, 'X-Frame-Options': 'SAMEORIGIN' });
}

/** What goes to the bank with the card: facts about the browser, and the result of the 3DS Method. */
export function sentWithCard(port: CheckoutPort, req: Request, fields: URLSearchParams, language: 'ru' | 'en') {
  const ticket = fields.get('ticket') ?? '';
  return {
    source: sourceOf(port, req),
    buyer: { address: clientAddress(req, port.proxies), language, ...readBrowser(req, fields) },
    isMethodDone: fields.get('isMethodDone') === 'true',
    ...(ticket === '' ? {} : { ticket }),
  };
}
