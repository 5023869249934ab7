import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from './apt.ts';
import { LOCAL } from './folders.ts';
import { programOnPath } from './programs.ts';

/** Programs that commands need besides what `npm start` needs: Debian's package, or the command that gets them. */
const SOURCES = {
  git: { debian: 'git' },
  tar: { debian: 'tar' },
  setpriv: { debian: 'util-linux' },
  unshare: { debian: 'util-linux' },
  haproxy: { debian: 'haproxy' },
  pgbackrest: { debian: 'pgbackrest' },
  prometheus: { debian: 'prometheus' },
  promtool: { debian: 'prometheus' },
  helm: { command: 'go install helm.sh/helm/v3/cmd/helm@latest' },
  'kubernetes-validate': { command: 'pip install kubernetes-validate' },
} as const satisfies Record<string, { readonly debian: string } | { readonly command: string }>;
export type ProgramToObtain = keyof typeof SOURCES;

/** Something that a command needs is not on this machine. The message is one line, and says how to get it. */
export class MissingProgramError extends Error {}

type Log = (line: string) => void;

/**
 * The path of a program. Installs Debian's package, without starting its service, if permitted.
 * @throws MissingProgramError
 */
export async function obtainProgram(name: ProgramToObtain, log: Log): Promise<string> {
  const found = programOnPath(name);
  if (found !== undefined) return found;
  const source = SOURCES[name];
  if ('command' in source) throw new MissingProgramError(`${name} is missing: ${source.command}`);
  await obtainPackages([source.debian], log);
  const installed = programOnPath(name);
  if (installed !== undefined) return installed;
  throw new MissingProgramError(`${name} is missing, although ${source.debian} is installed: put it on the path`);
}

/** Installs Debian's packages, without starting their services, if permitted. @throws MissingProgramError */
export async function obtainPackages(names: readonly string[], log: Log): Promise<void> {
  const list = names.join(', ');
  if (!canInstallPackages()) {
    throw new MissingProgramError(`${list}: missing, and only root on Debian installs packages: install them yourself`);
  }
  log(`installing ${list}`);
  mkdirSync(LOCAL, { recursive: true });
  await installPackages(names, join(LOCAL, 'apt.log')).catch((error: unknown) => {
    throw new MissingProgramError(Error.isError(error) ? error.message : String(error), { cause: error });
  });
}

/** Prints the one line that says what is missing instead of a stack trace; the command ends with status 1. Other errors are thrown. */
export function printMissing(error: unknown): void {
  if (!(error instanceof MissingProgramError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** As `printMissing`, where nothing has been started yet: ends the process. */
export function endIfMissing(error: unknown): never {
  printMissing(error);
  process.exit();
}
