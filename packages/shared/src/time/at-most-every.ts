/**
 * Calls `action` at once, and then at most every `ms`: calls in between are combined into one at the end of that time.
 */
export function atMostEvery(ms: number, action: () => void): () => void {
  let calledAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const call = (): void => {
    timer = undefined;
    calledAt = performance.now();
    action();
  };
  return () => {
    if (timer !== undefined) return;
    const early = calledAt + ms - performance.now();
    if (early <= 0) call();
    else timer = setTimeout(call, early).unref();
  };
}
