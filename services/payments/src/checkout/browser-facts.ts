import type { Request } from 'express';
import { z } from 'zod';
import type { BrowserFacts, Buyer } from '../acquirers/acquirer.ts';

/** EMV 3-D Secure knows these; a screen of another depth counts as the next lower one. */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48] as const;
/** EMV 3-D Secure 2.1 takes eight characters of a language, and 2,048 of a header. */
const LANGUAGE_CHARACTERS_MAX = 8;
const HEADER = /^[\x20-\x7e]{1,2048}$/;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** As the script of the card page writes them into the form; its field names. */
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
 * What EMV 3-D Secure asks about the buyer's browser: two of its headers, and what the page measured. Whoever wants to pay is
 * not kept from it by what his browser says of itself: what is not as it should be is left out, the measures as a whole.
 */
export function readBrowser(req: Request, fields: URLSearchParams): Pick<Buyer, 'userAgent' | 'accept' | 'browser'> {
  const measured = Measured.safeParse(Object.fromEntries(fields));
  const browser: BrowserFacts | undefined = measured.success ? measured.data : undefined;
  const header = (text: string | undefined) => (text !== undefined && HEADER.test(text) ? text : undefined);
  return { userAgent: header(req.headers['user-agent']), accept: header(req.headers.accept), browser };
}
