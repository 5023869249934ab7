import type { Request, RequestHandler, Response } from 'express';
import type { CardDetails } from '../acquirers/acquirer.ts';
import { HELD_BACK_SECONDS } from '../use-cases/checkout/admit-card.ts';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { cardFields, readCard, shownExpiry } from './card-input.ts';
import { isCurrentForm } from './is-current-form.ts';
import { link, paths } from './links.ts';
import { renderCardPage, troubleOf, type CardPageTrouble } from './pages/card-page.ts';
import { payerKeyOf } from './payer-cookie.ts';
import type { CheckoutPort } from './port.ts';
import { asksForJson, findPayment, formFields, readerOf } from './request.ts';
import { sentWithCard } from './three-ds-method.ts';

/** The status of each trouble, and after how many seconds the buyer may try again. */
const TROUBLES = {
  problems: { status: 400, seconds: undefined },
  'held-back': { status: 429, seconds: HELD_BACK_SECONDS },
  'route-unavailable': { status: 503, seconds: 60 },
  'sbp-unavailable': { status: 503, seconds: 60 },
} as const satisfies Record<CardPageTrouble['kind'], { status: number; seconds: number | undefined }>;

/**
 * POST of the card. An invalid form, a route that is down and a card that is held back are answered with the form; everything else with
 * a redirect to the payment's page, so that a second click and a reload do no harm. The page's script asks for JSON (`answer=json`) and
 * stays on the page: `next` is where to go on, `problems` names the wrong fields, `trouble` says what went wrong
 * (decisions/checkout).
 */
export function takeCard(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const reader = readerOf(req);
    const payment = await findPayment(port, req);
    const fields = formFields(req);
    const isScript = asksForJson(req);
    const trouble = isCurrentForm(payment, fields) ? await sendFields(port, req, payment, fields) : undefined;
    if (trouble === undefined) {
      const next = link(paths.result(payment.checkoutToken), reader.language);
      if (isScript) res.json({ next });
      else res.redirect(303, next);
      return;
    }
    announce(res, trouble);
    if (!isScript) {
      res.type('html').send(renderCardPage(reader, payment, trouble));
    } else if (trouble.kind === 'problems') {
      res.json({ problems: trouble.problems });
    } else {
      const { what, advice } = troubleOf(reader.texts, trouble.kind);
      res.json({ trouble: `${what}. ${advice}` });
    }
  };
}

/** Sends the card that these fields hold; undefined: it was taken, or the payment takes none any more. */
async function sendFields(
  port: CheckoutPort,
  req: Request,
  payment: CheckoutPayment,
  fields: URLSearchParams,
): Promise<CardPageTrouble | undefined> {
  const read = readCard(cardFields(fields), payment.now, payment.environment);
  if (read.kind === 'problems') return read;
  const outcome = await port.sendCard({
    checkoutToken: payment.checkoutToken,
    card: read.card,
    declinedCount: payment.ordersLeft ?? 0,
    payerKey: payerKeyOf(req),
    ...sentWithCard(port, req, fields, readerOf(req).language.language),
  });
  // A card that is held back is to be another one.
  if (outcome === 'held-back') return { kind: outcome };
  return outcome === 'route-unavailable' ? { kind: outcome, expiry: expiryOf(read.card) } : undefined;
}

const expiryOf = ({ expiryMonth, expiryYear }: CardDetails) => shownExpiry({ month: expiryMonth, year: expiryYear });

function announce(res: Response, { kind }: CardPageTrouble): void {
  const { status, seconds } = TROUBLES[kind];
  res.status(status);
  if (seconds !== undefined) res.set('Retry-After', String(seconds));
}
