import { grouped } from '../format.ts';

/** A ruble amount of the partner API with both its kopecks: `1250.50`. Text in, text out. */
export function plainRubles(amount: string): string {
  const [whole = '', kopecks = ''] = amount.split('.');
  return `${whole}.${kopecks.padEnd(2, '0')}`;
}

/** The same with its thousands apart: `1,250.50`. */
export const rubles = (amount: string): string => grouped(plainRubles(amount));
