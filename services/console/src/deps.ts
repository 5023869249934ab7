import type { Db } from '@pay/shared/postgres/db.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { Auth } from './sign-in/auth.ts';
import type { AuthSecrets } from './sign-in/secrets.ts';
import type { OperatorApi, OperatedService } from './operator-apis/operator-api.ts';

/** Dependencies of the console's routes and use cases. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  readonly auth: Auth;
  /** The current secret also keys the hashes of logins in the failure counts. */
  readonly authSecrets: AuthSecrets;
  readonly operatorApis: Readonly<Record<OperatedService, OperatorApi>>;
  readonly publicUrl: string;
  /** The public API that the reference's page may send to; undefined in LIVE, and where nothing is to be tried. */
  readonly tryItUrl: string | undefined;
  /** Which proxies may report an operator's address. */
  readonly proxies: TrustedProxies;
  readonly secondFactor: 'required' | 'optional';
  /** Whether the company's own sign-in is configured. */
  readonly hasCompanySignIn: boolean;
};
