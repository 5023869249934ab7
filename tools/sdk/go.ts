import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { LOCAL, ROOT } from '../infrastructure/folders.ts';

export const GO_SDK = join(ROOT, 'sdks/go');

/** Nothing is downloaded, neither a module nor a newer Go. What is compiled is kept between runs. */
const OFFLINE = { GOCACHE: join(LOCAL, 'go'), GOFLAGS: '', GOPROXY: 'off', GOTOOLCHAIN: 'local', GOWORK: 'off' };

/** What a program of Go printed, whether it passed or not: `/usr/bin/go`, or the gofmt beside it. */
export async function runGo(
  program: string,
  given: readonly string[],
  folder: string = GO_SDK,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...OFFLINE, ...env } };
  const { stdout, stderr } = await promisify(execFile)(program, [...given], options).catch((error: unknown) =>
    z.object({ stdout: z.string(), stderr: z.string() }).parse(error),
  );
  return stdout + stderr;
}
