import type { Db } from '@pay/shared/database/database.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Payments } from './payments/payments.ts';

/** What the use cases of this service work with; built once in `main.ts`. */
export type Deps = { readonly db: Db; readonly log: Log; readonly payments: Payments };

/** What routes need beside that. */
export type HttpDeps = Deps & { readonly pageTokens: PageTokens };
