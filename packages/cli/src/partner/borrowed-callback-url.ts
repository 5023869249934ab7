import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import { withClient } from '../context.ts';
import { CliFault, EXIT } from '../fault.ts';
import type { Output } from '../output.ts';
import type { Profile } from '../profile.ts';
import { PUT_BACK } from './put-callback-url-back.ts';

/**
 * Makes `url` the partner's callbackUrl. The returned function puts the old address back, unless it was changed meanwhile;
 * if this process is killed first, a process beside it does so at once.
 */
export async function borrowCallbackUrl(profile: Profile, url: string, output: Output): Promise<() => Promise<void>> {
  return withClient(profile, async (client) => {
    const { callbackUrl, returnUrl } = await client.readEndpoints();
    const isStored = callbackUrl !== null && returnUrl !== null;
    // Before the address is changed: there is no moment at which a kill leaves ours behind.
    const putBack = isStored ? await guard(profile, [url, callbackUrl, returnUrl]) : () => Promise.resolve();
    try {
      await client.saveEndpoints({ callbackUrl: url, returnUrl: returnUrl ?? `${url}return` });
    } catch (error) {
      await putBack();
      throw error;
    }
    output.note(`callbackUrl is ${url} now${isStored ? `; restored to ${callbackUrl} at the end` : ''}`);
    return putBack;
  });
}

async function guard(profile: Profile, addresses: readonly string[]): Promise<() => Promise<void>> {
  const { baseUrl, partnerID, publicKey, privateKeyFile } = profile;
  // The single executable is the program itself; otherwise Node is, and runs our script.
  const script = isSea() ? [] : [process.argv[1] ?? ''];
  const child = spawn(process.execPath, [...script, PUT_BACK, baseUrl, partnerID, publicKey, privateKeyFile, ...addresses], {
    // In a process group of its own: Ctrl-C in the terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  // If it cannot be started, nothing is changed.
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  return async () => {
    child.stdin.end();
    await exited;
    if (child.exitCode !== 0) throw new CliFault(EXIT.unreachable, `callbackUrl was not restored: it is still ${addresses[0] ?? ''}`);
  };
}
