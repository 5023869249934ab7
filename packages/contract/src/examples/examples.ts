/**
 * What the document shows of each operation, by operationId: its request, if it has a body, and its response. `csv` is the
 * response as text, where there is one, and `stream` the beginning of one that goes on. A test checks each against its schema.
 */
export type Examples = Readonly<
  Record<string, { readonly request?: object; readonly response?: object; readonly csv?: string; readonly stream?: string }>
>;

export const AT = '2026-11-21T10:00:00.000Z';
export const LATER = '2026-11-21T10:01:30.000Z';
export const PAYMENT = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
export const REFUND = '8d2f7c11-3b0e-4b7a-8f64-5a1f2f6f0b27';
export const BINDING = '2b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f';
export const CONSENT = 'c41e8f3a-90b5-4c0e-8a54-1d3b6f0a7c92';
export const EVENT = '0b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f';
export const TRANSACTION = '1b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f';
export const PAYOUT = 'f3a0c8d6-5e14-4a83-9c7b-20b1d9e64a58';
