import type { Request } from 'express';
import { z } from 'zod';
import type { BrowserFacts, Buyer } from '../acquirers/acquirer.ts';

/** The depths that EMV 3-D Secure knows; any other depth is rounded down. */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48] as const;
/** EMV 3-D Secure 2.1 allows eight characters for a language, and 2,048 for a header. */
const LANGUAGE_CHARACTERS_MAX = 8;
const HEADER = /^[\x20-\x7e]{1,2048}$/;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** The form fields that the script of the card page fills in. */
const Measured = z.object({
  colorDepth: whole(1, 999).transform((depth) => COLOR_DEPTHS.findLast((known) => known <= depth) ?? 1),
  screenHeight: whole(1, 999_999),
  screenWidth: whole(1, 999_999),
  timezoneOffsetMinutes: whole(-840, 720),
  language: z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/)
    .transform((tag) => (tag.length <= LANGUAGE_CHARACTERS_MAX ? tag : tag.replace(/-.*/, ''))),
  isJavaEnabled: z.enum(['true', 'false']).transform((word) => word === 'true'),
});

/**
 * What EMV 3-D Secure asks about the buyer's browser: two headers, and what the page measured. Unusual values must not keep a
 * buyer from paying: an invalid header is left out, and so are all measurements if one is invalid.
 */
export function readBrowser(req: Request, fields: URLSearchParams): Pick<Buyer, 'userAgent' | 'accept' | 'browser'> {
  const measured = Measured.safeParse(Object.fromEntries(fields));
  const browser: BrowserFacts | undefined = measured.success ? measured.data : undefined;
  const header = (text: string | undefined) => (text !== undefined && HEADER.test(text) ? text : undefined);
  return { userAgent: header(req.headers['user-agent']), accept: header(req.headers.accept), browser };
}
