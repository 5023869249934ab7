import { grouped } from '../format.ts';

/** A ruble amount of the partner API with both its kopecks, and its thousands apart: `1,250.50`. Text in, text out. */
export function rubles(amount: string): string {
  const [whole = '', kopecks = ''] = amount.split('.');
  return grouped(`${whole}.${kopecks.padEnd(2, '0')}`);
}
