/**
 * Options of Node for every program that has no container around it (ADR 0183). There V8 sizes its heap by the machine: it
 * collects late, and a program that needs 60 MiB keeps hundreds. In a container Node goes by the container's limit. The notifier
 * keeps little of what it allocates, and gets by with half the young generation of the others.
 */
export const heapOptions = (program: string): readonly string[] => [
  `--max-semi-space-size=${program === 'notifier' ? '4' : '8'}`,
  '--max-old-space-size=192',
];
