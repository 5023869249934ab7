const PATIENCE_MS = 20_000;

/** Ends this process as failed, if something still keeps it then. */
export function leaveAfter(milliseconds: number): void {
  setTimeout(() => {
    process.stderr.write('Something that a test left open kept jest from ending, which counts as failed\n');
    process.exit(1);
  }, milliseconds).unref();
}

/**
 * Runs after the projects whose tests hold processes and connections. A test that fails before it can close them would
 * keep jest for ever, and the reason for the failure to itself.
 */
export default function leave(): void {
  leaveAfter(PATIENCE_MS);
}
