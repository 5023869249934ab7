/** The calls of the acquirer API that a fault can be set for. */
export const FAULT_ROUTES = ['register', 'three-ds', 'authorize', 'cancel', 'charge', 'refund', 'read', 'all'] as const;
export type FaultRoute = (typeof FAULT_ROUTES)[number];

/**
 * delay: the call waits before it is carried out. delay_after: it is carried out at once and its answer waits, so that
 * a later answer overtakes it. error: answered with `status`, nothing done. outage: every call fails until cleared, with
 * `status` or a closed connection. drop: the connection closes, nothing done. drop_after: carried out, then the
 * connection closes without an answer. duplicate: carried out twice, as when a network repeats a request.
 */
export const FAULT_KINDS = ['delay', 'delay_after', 'error', 'outage', 'drop', 'drop_after', 'duplicate'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault waiting for matching calls. */
export type Fault = {
  readonly route: FaultRoute;
  readonly kind: FaultKind;
  /** Only calls for this operation id; null: any. */
  readonly operationId: string | null;
  readonly delayMs: number;
  readonly status: number | null;
  /** How many more calls it affects; null: until it is cleared. */
  readonly times: number | null;
};

/** How many faults may wait at once: a test that forgets to clear them must not fill the memory. */
export const FAULTS_MAX = 100;

/** The fault that affects this call, and the faults that remain. The oldest match comes first. */
export function takeFault(
  faults: readonly Fault[],
  call: { readonly route: Exclude<FaultRoute, 'all'>; readonly operationId: string | undefined },
): { readonly fault: Fault | undefined; readonly rest: readonly Fault[] } {
  const index = faults.findIndex(
    (fault) =>
      (fault.route === 'all' || fault.route === call.route) && (fault.operationId === null || fault.operationId === call.operationId),
  );
  const fault = faults[index];
  const times = fault?.times ?? null;
  if (fault === undefined || times === null) return { fault, rest: faults };
  const left = times > 1 ? [{ ...fault, times: times - 1 }] : [];
  return { fault, rest: [...faults.slice(0, index), ...left, ...faults.slice(index + 1)] };
}
