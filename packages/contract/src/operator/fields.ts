import { z } from 'zod';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { parseRubString } from '@pay/shared/money/money.ts';
import { momentInput } from '@pay/shared/http/fields.ts';
import { uuidsBeginning } from '@pay/shared/identities/uuid-range.ts';
import { RUBLES_PATTERN } from '../fields.ts';

/** The fields used only in operators' requests, each with a single rule. Error messages never repeat the value. */

/** A JSON integer, validated by its token. */
export const wholeInput = (minimum: number, maximum: number, rule?: string): z.ZodType<number, number> =>
  z
    .any()
    .meta({ type: 'integer', minimum, maximum })
    .transform((value: unknown, ctx): number => {
      const number = value instanceof JsonNumber && /^\d{1,9}$/.test(value.token) ? Number(value.token) : Number.NaN;
      if (number >= minimum && number <= maximum) return number;
      const message = rule ?? `must be a whole number from ${String(minimum)} to ${String(maximum)}`;
      ctx.addIssue({ code: 'custom', message });
      return z.NEVER;
    });

/** The revision that the operator saw: `revision` of an earlier response. */
export const revision = wholeInput(1, 999_999_999, 'must be the revision that was seen');

/** An amount in rubles, parsed to kopecks. A JSON number is refused: it may have passed through a double. */
export const rublesStringInput: z.ZodType<bigint, string> = z
  .any()
  .meta({ type: 'string', pattern: RUBLES_PATTERN, examples: ['10.50'] })
  .transform((value: unknown, ctx): bigint => {
    const kopecks = typeof value === 'string' ? parseRubString(value) : undefined;
    if (kopecks !== undefined) return kopecks;
    ctx.addIssue({ code: 'custom', message: 'must be an amount greater than zero with two decimals, such as "10.50"' });
    return z.NEVER;
  });

/** The id of an acquiring route. */
export const routeId = z.string().min(1).max(64);

/** The time range of a list. */
export const fromMoment = momentInput('At or after this time');
export const toMoment = momentInput('Before this time');

/** What a person typed of a UUID. */
export const uuidBeginning = z
  .string()
  .refine((typed) => uuidsBeginning(typed) !== undefined, 'must be at least six digits that an id begins with');

/** The operator who acted. */
export const login = z.string().describe("The operator's login");
