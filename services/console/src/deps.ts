import type { Db } from '@pay/shared/postgres/db.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { Auth } from './sign-in/auth.ts';
import type { AuthSecrets } from './sign-in/secrets.ts';
import type { OperatorApi, OperatedService } from './operator-apis/operator-api.ts';

/** What the console's routes and use cases need of the world. */
export type Deps = {
  readonly db: Db;
  readonly log: Log;
  readonly auth: Auth;
  /** The current one keys what stands for a login in the counts of failures, too. */
  readonly authSecrets: AuthSecrets;
  readonly operatorApis: Readonly<Record<OperatedService, OperatorApi>>;
  readonly publicUrl: string;
  /** Who may say what an operator's address is. */
  readonly proxies: TrustedProxies;
  readonly secondFactor: 'required' | 'optional';
  /** The company's own sign-in is configured. */
  readonly hasCompanySignIn: boolean;
};
