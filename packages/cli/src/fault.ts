/** Exit statuses. Documented in docs/partners/cli.md; scripts rely on them. */
export const EXIT = {
  ok: 0,
  /** The service or the bank refused, or a check failed. */
  refused: 1,
  /** The command line was wrong. */
  usage: 2,
  /** There was no response. */
  unreachable: 3,
  /** What the command waited for did not happen in time. */
  timeout: 5,
  /** Nobody reads the output on: as of a program that SIGPIPE ends. */
  unread: 141,
} as const;

/** An expected failure: one line for people, an exit status for scripts. */
export class CliFault extends Error {
  override readonly name = 'CliFault';
  readonly exitCode: number;
  /** Printed as is with `--json`. */
  readonly json: unknown;

  constructor(exitCode: number, message: string, json?: unknown) {
    super(message);
    this.exitCode = exitCode;
    this.json = json ?? { error: message };
  }
}

/** The command line was wrong. */
export function usage(message: string): CliFault {
  return new CliFault(EXIT.usage, message);
}
