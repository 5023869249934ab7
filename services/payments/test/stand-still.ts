import { HOLDS_MS } from '../src/domain/acquiring/fence.ts';

/** The process stands still for longer than an answer of a fence holds. */
export function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HOLDS_MS + 50);
}
