/** A recorded process: its number, and what distinguishes it from a later process with the same number. */
export type ProcessRecord = { readonly pid: number; readonly identity: string };

export function processIdentity(pid: number): string | undefined;
export function isRunning(record: ProcessRecord): boolean;
export function withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
