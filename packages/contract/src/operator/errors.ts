import { ERRORS } from '@pay/shared/errors/catalogue.ts';
import { z } from 'zod';
import { ErrorBody } from '../api/errors.ts';
import { namedForOperators } from './registry.ts';

/** Every response with status 400 or above. */
export const OperatorError = namedForOperators(
  'Error',
  'Every response with status 400 or above. Programs branch on code, people read error.',
  ErrorBody.extend({
    code: z.enum(Object.keys(ERRORS)),
    current: z.record(z.string(), z.unknown()).describe('With STALE_REVISION: the current record').optional(),
  }),
);
