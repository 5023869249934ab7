/**
 * Calls `action` at once, and then at most every `ms`: calls in between are combined into one at the end of that time. What
 * is passed on reaches an action that runs at once; a combined one gets nothing.
 */
export function atMostEvery<T>(ms: number, action: (now?: T) => void): (now?: T) => void {
  let calledAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const call = (now?: T): void => {
    timer = undefined;
    calledAt = performance.now();
    action(now);
  };
  return (now) => {
    if (timer !== undefined) return;
    const early = calledAt + ms - performance.now();
    if (early <= 0) call(now);
    else timer = setTimeout(call, early).unref();
  };
}
