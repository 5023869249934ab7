import type { Request } from 'express';
import { LANGUAGES, type Language } from '../wording/language.ts';

/**
 * The language of a page. `isChosen`: the buyer chose it; links and forms carry the choice as `?lang=`, without a cookie.
 */
export type LanguageChoice = { readonly language: Language; readonly isChosen: boolean };

/** `?lang=` if it is one of ours, otherwise the browser's preferred language among ours, otherwise Russian. */
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
    // The sort is stable: of two equally preferred languages the first one wins.
    .sort((a, b) => b.quality - a.quality);
  return wishes[0]?.language ?? LANGUAGES[0];
}
