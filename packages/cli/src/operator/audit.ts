import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import type { AuditOptions } from './verify-audit.ts';

/**
 * `pay operator audit verify`: checks the audit logs and ledgers of all services against their seals
 * (decisions/audit-logs).
 */
export function addAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description(
      'verify every sealed row of all audit logs and ledgers; names the first row that was changed, removed or inserted; exit status 1 then',
    )
    .option('--database <url>', 'URL of a role that may read all schemas; default: the running system')
    .option('--heads <path>', 'heads stored elsewhere: a file of JSON lines, or a folder of such files')
    .option('--public-key <file>', 'verify the signature of every head with this key (Ed25519, PEM)')
    .action(async (options: AuditOptions, command: Command) => {
      // Loaded here: no other command needs a database driver and zod.
      const { verifyAudit } = await import('./verify-audit.ts');
      await verifyAudit(options, contextOf(command));
    });
}
