import { describeOperatorRoles } from '../../../../../packages/shared/test/operator-roles.ts';
import { startTestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

describeOperatorRoles('payments', OPERATOR_AUDIENCE, async (verify) => {
  const t = await startTestApp();
  return { app: createOperatorApp(t.deps, verify), close: () => t.close() };
});
