import type { RequestHandler } from 'express';
import { render } from 'preact-render-to-string';
import { z } from 'zod';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import type { HttpDeps } from '../deps.ts';
import { methodPage } from '../pages/method.ts';
import { runThreeDsMethod, type ThreeDsMethodData } from '../use-cases/run-three-ds-method.ts';

/** The target of the hidden frame on a merchant's page. */
export const THREE_DS_METHOD = '/three-ds-method';

const Data = z.object({
  threeDSServerTransID: z.uuid(),
  threeDSMethodNotificationURL: z.url({ protocol: /^https?$/ }).max(2_048),
});

/**
 * POST of the 3DS Method: another site's form in another site's frame, as EMV requires. Continues to the notification
 * address.
 */
export function threeDsMethodRoute(deps: HttpDeps): RequestHandler {
  return async (req, res) => {
    const data = new URLSearchParams(rawBody(req).toString('utf8')).get('threeDSMethodData') ?? '';
    const { threeDSServerTransID, ...asked } = readData(data);
    const notification = await runThreeDsMethod(deps, { threeDSServerTransID, ...asked });
    res
      .set({
        'Content-Security-Policy': `default-src 'none'; script-src 'self'; form-action ${notification.origin}; base-uri 'none'`,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
      .type('html')
      .send(`<!doctype html>${render(methodPage(notification.href, encode({ threeDSServerTransID })))}`);
  };
}

const encode = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');

/** @throws ApiError VALIDATION_FAILED */
function readData(text: string): ThreeDsMethodData {
  try {
    return Data.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalidField('threeDSMethodData', 'is not valid EMV 3-D Secure method data');
  }
}

/** GET /assets/method.js: the issuer has seen the browser and sends it on. */
export const methodScriptRoute: RequestHandler = (_req, res) => {
  res.set('X-Content-Type-Options', 'nosniff').type('js').send('document.forms[0].submit();\n');
};
