/**
 * Options of Node for every program that has no container around it (ADR 0183). There V8 sizes its heap by the machine: it
 * collects late, and a program that needs 60 MiB keeps hundreds. In a container Node goes by the container's limit.
 */
export const HEAP_OPTIONS: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=192'];
