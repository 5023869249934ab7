/**
 * What services say to programs, as people read it on a page: English by what is said. `ru-services.ts` has the Russian of that English.
 */
export const ENGLISH_OF_SERVICES: Readonly<Record<string, string>> = {
  'must be an ISO 8601 timestamp with its zone, such as 2026-11-21T00:00:00Z': 'enter a date such as 2026-11-21 or 2026-11-21 10:30',
};
