import { ApiError } from '@pay/shared/errors/api-error.ts';
import { FAULTS_MAX, takeFault, type Fault, type FaultRoute } from './domain/fault.ts';

/**
 * The faults that are set. In memory, because a fault belongs to a test run and must not outlive the process. The bank
 * is a single process by design.
 */
export type Faults = {
  set(fault: Fault): void;
  clear(): void;
  list(): readonly Fault[];
  /** The fault that affects this call; taking it uses up one of its calls. */
  take(call: { readonly route: Exclude<FaultRoute, 'all'>; readonly operationId: string | undefined }): Fault | undefined;
  /** How long the bank stays silent before it closes a connection that it does not answer. 0 by default. */
  silenceMs: number;
};

export function createFaults(): Faults {
  let waiting: readonly Fault[] = [];
  return {
    silenceMs: 0,
    set(fault) {
      if (waiting.length >= FAULTS_MAX) {
        throw new ApiError('STALE_REVISION', {
          text: `at most ${String(FAULTS_MAX)} faults can be set; clear them first`,
        });
      }
      waiting = [...waiting, fault];
    },
    clear() {
      waiting = [];
    },
    list: () => waiting,
    take(call) {
      const { fault, rest } = takeFault(waiting, call);
      waiting = rest;
      return fault;
    },
  };
}
