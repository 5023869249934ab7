import { savedUrlProblem } from '@pay/shared/net/public-url.ts';

/**
 * What is wrong with the return address of one order; undefined if it is valid. Only path and query may differ from
 * the saved one: scheme, host and port must be equal. See spec/service-contract#card-payment-create-request/returnurl.
 */
export function returnUrlProblem(
  returnUrl: string,
  saved: string | undefined,
  options: { readonly allowPrivate: boolean },
): string | undefined {
  const problem = savedUrlProblem(returnUrl, { ...options, openedBy: 'browser' });
  if (problem !== undefined) return problem;
  if (saved === undefined) return 'needs a saved returnUrl to be compared with: PUT /api/integration/endpoints first';
  return new URL(returnUrl).origin === new URL(saved).origin ? undefined : 'may differ from the saved returnUrl in path and query only';
}
