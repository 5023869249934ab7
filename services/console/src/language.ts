import type { Request } from 'express';

/** What somebody chose on the pages. */
const CHOSEN = /(?:^|;\s*)language=(en|ru)(?:;|$)/;

/** The language that the reader chose, else the one that their browser prefers. */
export function languageOf(req: Request): 'en' | 'ru' {
  const [, chosen = req.acceptsLanguages(['en', 'ru'])] = CHOSEN.exec(req.headers.cookie ?? '') ?? [];
  return chosen === 'ru' ? 'ru' : 'en';
}
