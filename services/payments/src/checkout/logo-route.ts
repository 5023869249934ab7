import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { CheckoutPort } from './port.ts';

const NAME = /^([0-9a-f]{64})\.png$/;

/**
 * GET of a store's logo from our own origin: the page that takes card numbers loads nothing from a shop. Its name is its hash, so it may be
 * cached forever. @throws ApiError NOT_FOUND if no store has it
 */
export function serveLogo(port: CheckoutPort): RequestHandler<{ name: string }> {
  return async (req, res) => {
    const sha256 = NAME.exec(req.params.name)?.[1];
    const png = sha256 === undefined ? undefined : await port.findLogo(sha256);
    if (png === undefined) throw new ApiError('NOT_FOUND');
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('image/png').send(png);
  };
}
