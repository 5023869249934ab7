/** How a command ends. Documented in docs/cli.md; scripts rely on it. */
export const EXIT = {
  ok: 0,
  /** The service, the bank or a check said no. */
  refused: 1,
  /** The command line was wrong. */
  usage: 2,
  /** Nobody answered. */
  unreachable: 3,
  /** What was waited for did not come in time. */
  timeout: 5,
} as const;

/** An expected end: one line for people, an exit status for scripts. */
export class CliFault extends Error {
  override readonly name = 'CliFault';
  readonly exitCode: number;
  /** Printed as it stands with `--json`. */
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
