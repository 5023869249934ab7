import { join } from 'node:path';
import { LOCAL } from '../infrastructure/folders.ts';

/** Artefacts of a run for people to inspect: screenshots, logs, results. Git-ignored. */
export const ARTIFACTS = join(LOCAL, '../artifacts');
/** Logs of the services in e2e tests. */
export const E2E_LOGS = join(ARTIFACTS, 'e2e-logs');
