import type { Command } from 'commander';
import { clientOf } from '../context.ts';

/** The hidden command that `pay callbacks receive --register` starts beside itself. */
export const PUT_BACK = 'put-callback-url-back';

/**
 * A process of its own: puts the partner's callbackUrl back once the receiver has ended, however it ended. Its standard input
 * closes then, even if the receiver was killed.
 */
export function addPutBack(program: Command): void {
  program
    .command(`${PUT_BACK} <baseUrl> <partnerID> <publicKey> <privateKeyFile> <receiverUrl> <callbackUrl> <returnUrl>`, {
      hidden: true,
    })
    .action(async (...given: readonly string[]) => {
      const [baseUrl = '', partnerID = '', publicKey = '', privateKeyFile = '', ...addresses] = given;
      const [receiverUrl = '', callbackUrl = '', returnUrl = ''] = addresses;
      process.stdin.resume();
      await new Promise((resolve) => process.stdin.once('close', resolve));
      const client = clientOf({ baseUrl, partnerID, publicKey, privateKeyFile });
      try {
        // Another receiver or a person may have changed it meanwhile: then it stays.
        if ((await client.readEndpoints()).callbackUrl === receiverUrl) await client.saveEndpoints({ callbackUrl, returnUrl });
      } finally {
        client.close();
      }
    });
}
