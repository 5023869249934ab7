import { randomBytes } from 'node:crypto';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { noOwners } from '../../../../../packages/shared/test/no-owners.ts';
import { describeOperatorRoles } from '../../../../../packages/shared/test/operator-roles.ts';
import { startTestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

describeOperatorRoles('bindings', OPERATOR_AUDIENCE, async (verify) => {
  const t = await startTestApp();
  const queue = {
    handlers: {},
    owners: noOwners('bindings'),
    verify: () => undefined,
    pageTokens: pageTokens(randomBytes(32), 'bindings'),
  };
  return { app: createOperatorApp({ ...t.deps, ...queue }, verify), close: () => t.close() };
});
