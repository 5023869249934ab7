import { createLog } from '@pay/shared/logging/logger.ts';
import { describeOperatorRoles } from '../../../../../packages/shared/test/operator-roles.ts';
import { startTestDatabase } from '../../../test/gateway.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

describeOperatorRoles('gateway', OPERATOR_AUDIENCE, async (verify) => {
  const { database, drop } = await startTestDatabase();
  return { app: createOperatorApp(database.db, createLog('gateway', 'silent'), verify), close: drop };
});
