import { renderRub } from '@pay/shared/money/money.ts';

/** Kopecks with their sign: `-97.99`. */
export function renderSigned(kopecks: bigint): string {
  return kopecks < 0n ? `-${renderRub(-kopecks)}` : renderRub(kopecks);
}
