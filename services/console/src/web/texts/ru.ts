import { ACCOUNTS } from './ru/accounts.ts';
import { CALLBACKS } from './ru/callbacks.ts';
import { COMMON } from './ru/common.ts';
import { OVERVIEW } from './ru/overview.ts';
import { PARTNERS } from './ru/partners.ts';
import { PAYMENTS } from './ru/payments.ts';
import { USDT } from './ru/usdt.ts';

/** The texts of each area: a text that several need is in `COMMON`, and each text is in one of them. */
export const AREAS = [COMMON, PAYMENTS, PARTNERS, CALLBACKS, USDT, ACCOUNTS, OVERVIEW] as const;

/**
 * Everything that the console says, in Russian, by its English text. A page that says something without a line here does
 * not compile; a line that nothing says fails a test. `{name}` is filled in. See decisions/console-pages.
 */
export const RUSSIAN = {
  ...COMMON,
  ...PAYMENTS,
  ...PARTNERS,
  ...CALLBACKS,
  ...USDT,
  ...ACCOUNTS,
  ...OVERVIEW,
} as const satisfies Readonly<Record<string, string>>;
