import type { Db } from '@pay/shared/postgres/db.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { Log } from '@pay/shared/logging/logger.ts';

/** Dependencies of this service's routes, built once in `main.ts`. */
export type Deps = { readonly db: Db; readonly log: Log; readonly pageTokens: PageTokens };
