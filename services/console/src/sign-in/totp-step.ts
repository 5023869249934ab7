import { createHmac } from 'node:crypto';

const STEP_SECONDS = 30;
/**
 * Half minutes checked before and after the current one. More than the library accepts (one): it uses the process's
 * clock and this the database's, and no code that it accepts may go unnoticed here.
 */
const WINDOW = 5;
const DIGITS = 6;

/**
 * The half minute that this code belongs to (RFC 6238 with SHA-1 and six digits, as the sign-in library verifies it);
 * undefined if the code is not close to now.
 */
export function stepOfCode(secret: string, code: string, nowSeconds: number): number | undefined {
  const present = Math.floor(nowSeconds / STEP_SECONDS);
  for (let step = present + WINDOW; step >= present - WINDOW; step -= 1) if (codeOf(secret, step) === code) return step;
  return undefined;
}

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}
