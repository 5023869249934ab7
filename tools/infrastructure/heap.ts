/**
 * Options of Node for every program that has no container around it (decisions/speed). There V8 sizes its heap by the
 * machine: it collects late, and a program that needs 60 MiB keeps hundreds. In a container Node goes by the
 * container's limit. The notifier keeps little of what it allocates, and gets by with half the heap of the others.
 */
export const heapOptions = (program: string): readonly string[] => {
  const [youngMiB, oldMiB] = program === 'notifier' ? [4, 96] : [8, 192];
  return [`--max-semi-space-size=${String(youngMiB)}`, `--max-old-space-size=${String(oldMiB)}`];
};
