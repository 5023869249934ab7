import type { Request } from 'express';

/** The languages of the checkout, the default first. */
export const LANGUAGES = ['ru', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language of an answer. `chosen` is the buyer's own choice, which links and forms carry on as `?lang=`: no cookie.
 */
export type LanguageChoice = { readonly language: Language; readonly isChosen: boolean };

/** `?lang=` if it is one of ours, else the language that the browser likes best of ours, else Russian. */
export function languageOf(req: Request): LanguageChoice {
  const asked = req.query['lang'];
  const chosen = LANGUAGES.find((language) => language === asked);
  if (chosen !== undefined) return { language: chosen, isChosen: true };
  return { language: preferred(req.headers['accept-language'] ?? ''), isChosen: false };
}

function preferred(acceptLanguage: string): Language {
  const wishes = acceptLanguage
    .slice(0, 500)
    .split(',')
    .flatMap((item) => {
      const [range = '', ...parameters] = item
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const language = LANGUAGES.find((ours) => range === ours || range.startsWith(`${ours}-`));
      const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1');
      return language === undefined || !(quality > 0) ? [] : [{ language, quality }];
    })
    // Stable: of two equally liked languages the one named first wins.
    .sort((a, b) => b.quality - a.quality);
  return wishes[0]?.language ?? LANGUAGES[0];
}
