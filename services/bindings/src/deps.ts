import type { Db } from '@pay/shared/postgres/db.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { OperationIds } from '@pay/shared/identities/operation-ids.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { RetryLimits } from './domain/charge-retry.ts';
import type { Payments } from './payments/payments.ts';

/** Dependencies of this service's use cases, built once in `main.ts`. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  readonly payments: Payments;
  /** Ids of charges, which are sent to banks. */
  readonly operationIds: OperationIds;
  /** How many declined charges are allowed, per card scheme. */
  readonly retryLimits: RetryLimits;
};

/** Additional dependencies of the routes. */
export type HttpDeps = Deps & { readonly pageTokens: PageTokens };
