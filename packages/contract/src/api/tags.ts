/** The groups of the public API, in the order of the document: what belongs to each, and what it is for. */
const TAGS = [
  ['Card payments', /^\/api\/card(?!.*\/refunds)/, 'Payments on a hosted page; card details are typed there only.'],
  ['QR payments', /^\/api\/(?:qr|payments)(?!.*\/refunds)/, 'SBP payments that the buyer makes by scanning a code.'],
  ['Refunds', /\/refunds/, 'Money back to the buyer: a part of a payment, or all that remains.'],
  ['Saved cards', /^\/v1\//, 'Bindings with the consent of their buyers, and charges without them.'],
  ['Payout requests', /^\/api\/withdrawal/, 'Payouts in USDT, which people review and transfer.'],
  ['Registers', /^\/api\/registers/, 'Closed days of your balances, entry by entry.'],
  ['Events', /^\/api\/event/, 'What was sent to your callbackUrl, or should have been.'],
  ['Requests', /^\/api\/request/, 'TEST only: what you called, and why it was refused.'],
  ['Settings', /^\/api\/integration/, 'Payment points, addresses and the callback secret.'],
] as const satisfies readonly (readonly [name: string, paths: RegExp, description: string])[];

/** The group of the callbacks. */
export const CALLBACKS = { name: 'Callbacks', description: 'What we send to your callbackUrl, signed.' };

/** The top-level tags of the document. */
export const tags = () => [...TAGS.map(([name, , description]) => ({ name, description })), CALLBACKS];

/** The group of an operation. */
export function tagOf(path: string): string {
  const found = TAGS.find(([, paths]) => paths.test(path));
  if (found === undefined) throw new Error(`${path} has no tag`);
  return found[0];
}
