import { readFileSync } from 'node:fs';
import type { Receipt } from '@pay/sdk/types.ts';
import { usage } from './fault.ts';

/** The member `receipt` of a request, from a JSON file; the service validates its contents. @throws CliFault */
export function receiptOf(file: string | undefined): { readonly receipt?: Receipt } {
  if (file === undefined) return {};
  try {
    return { receipt: JSON.parse(readFileSync(file, 'utf8')) as Receipt };
  } catch {
    throw usage('--receipt must name a JSON file');
  }
}
