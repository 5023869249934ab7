import { ERRORS } from '@pay/shared/errors/catalogue.ts';
import { z } from 'zod';
import { ErrorBody } from '../api/errors.ts';
import { namedForOperators } from './registry.ts';

/** Every answer of 400 and above. */
export const OperatorError = namedForOperators(
  'Error',
  'Every answer of 400 and above. Programs branch on code, people read error.',
  ErrorBody.extend({
    code: z.enum(Object.keys(ERRORS)),
    current: z.record(z.string(), z.unknown()).describe('With STALE_REVISION: the record as it is now').optional(),
  }),
);
