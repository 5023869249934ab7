import type { Request } from 'express';
import { z } from 'zod';
import { jsonBody, rawBody } from './app.ts';
import { validate } from './validate.ts';

const Body = z.strictObject({}, { error: 'must be absent or an empty JSON object' });

/**
 * For a command whose path says everything: the body may be absent or `{}`. @throws ApiError 400, 415 for anything else
 */
export function refuseContent(req: Request): void {
  if (rawBody(req).length > 0) validate(Body, jsonBody(req));
}
