import type { Db } from '@pay/shared/postgres/db.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { RetryLimits } from './domain/charge-retry.ts';
import type { Payments } from './payments/payments.ts';

/** What the use cases of this service work with; built once in `main.ts`. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  readonly payments: Payments;
  /** How often a declined charge may be tried again, by the card's scheme. */
  readonly retryLimits: RetryLimits;
};

/** What routes need beside that. */
export type HttpDeps = Deps & { readonly pageTokens: PageTokens };
