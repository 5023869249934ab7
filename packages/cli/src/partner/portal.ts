import type { Command } from 'commander';
import { signText } from '@pay/signing/ed25519.ts';
import { contextOf } from '../context.ts';
import { usage } from '../fault.ts';
import { identityOf } from '../profile.ts';

/**
 * `pay-portal-sign-in <origin> <partner> <id> <expiry>`: decisions/portal-sessions. A signed request never looks like
 * it.
 */
const CHALLENGE = /^pay-portal-sign-in (https?:\/\/\S+) (\S+) [0-9a-f-]{36} (\S+)$/;

/** `pay portal`: signing in to the partner portal from the machine that has the key. */
export function addPortalCommands(program: Command): void {
  program
    .command('portal')
    .description('the partner portal')
    .command('sign <challenge...>')
    .description('sign the text that the portal shows, to sign in there; prints the signature to paste')
    .action((words: string[], _options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const text = words.join(' ').trim();
      const [, origin, partnerID, expiresAt] = CHALLENGE.exec(text) ?? [];
      if (origin === undefined || partnerID === undefined || expiresAt === undefined)
        throw usage('this is not a text of the portal: it begins with "pay-portal-sign-in"');
      const identity = identityOf(profile());
      if (partnerID !== identity.partnerID) throw usage(`the text is for ${partnerID}, and the profile is of ${identity.partnerID}`);
      // Whoever has the signature is signed in there: the reader must see where.
      output.note(`Signs in to ${origin} as ${partnerID}, until ${expiresAt}. Paste it there only if you opened it.`);
      const signature = signText(identity.privateKey, text);
      output.result(signature, { signature, origin, partnerID, expiresAt });
    });
}
