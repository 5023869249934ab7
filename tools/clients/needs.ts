import { spawnSync } from 'node:child_process';

/** A program of the machine, the command that names its version, and the oldest version that will do. */
export type Need = readonly [name: string, asked: readonly [string, ...string[]], atLeast: string];

/** What is missing, each as a sentence: nothing if the machine has it all. */
export const missing = (needs: readonly Need[]): readonly string[] =>
  needs.flatMap(([name, asked, atLeast]) => {
    const [program, ...args] = asked;
    const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    const wanted = `${name} ${atLeast} or later is`;
    if (error !== undefined) return [`${wanted} missing`];
    const found = status === 0 ? /\d+(?:\.\d+)*/.exec(stdout + stderr)?.[0] : undefined;
    if (found === undefined) return [`${wanted} missing: "${asked.join(' ')}" names no version`];
    return isOlder(found, atLeast) ? [`${wanted} needed, this is ${found}`] : [];
  });

function isOlder(found: string, atLeast: string): boolean {
  const [has, wanted] = [found, atLeast].map((text) => text.split('.').map(Number));
  const at = (wanted ?? []).findIndex((part, index) => part !== (has?.[index] ?? 0));
  return at >= 0 && (has?.[at] ?? 0) < (wanted?.[at] ?? 0);
}
