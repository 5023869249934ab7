import { join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';

/** What a run leaves for people to look at: screenshots, logs, results. Git-ignored. */
export const ARTIFACTS = join(LOCAL, '../artifacts');
/** What the services of the e2e tests logged. */
export const E2E_LOGS = join(ARTIFACTS, 'e2e-logs');
