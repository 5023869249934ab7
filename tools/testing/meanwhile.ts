import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const LINES_MAX = 40;

const Results = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          /** Milliseconds since 1970. */
          startAt: z.number().nullish(),
          duration: z.number().nullish(),
        }),
      ),
    }),
  ),
});
const Line = z.object({
  level: z.enum(['warn', 'error', 'fatal']),
  time: z.iso.datetime(),
  service: z.string(),
  msg: z.string(),
  err: z.object({ message: z.string() }).optional(),
});

/**
 * The services' warnings during each failed test of jest's result file: a run on a machine that nobody can inspect
 * afterwards has to report what happened. At most the last forty lines per test.
 */
export function warningsMeanwhile(resultFile: string, logFolder: string): string {
  const { testResults } = Results.parse(JSON.parse(readFileSync(resultFile, 'utf8')));
  const failed = testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'failed');
  if (failed.length === 0 || !existsSync(logFolder)) return '';
  const lines = readdirSync(logFolder)
    .flatMap((name) => readFileSync(join(logFolder, name), 'utf8').split('\n'))
    .flatMap(readLine)
    .sort((one, other) => one.time.localeCompare(other.time));
  return failed
    .map(({ fullName, startAt, duration }) => {
      const from = startAt ?? 0;
      const during = lines.filter(({ time }) => {
        const at = Date.parse(time);
        return at >= from && at <= from + (duration ?? 0);
      });
      const shown = during
        .slice(-LINES_MAX)
        .map(({ time, service, msg, err }) => `  ${time} ${service}: ${msg}${err === undefined ? '' : ` (${err.message})`}`);
      return [`Warnings while "${fullName}" ran, ${String(during.length)}:`, ...shown, ''].join('\n');
    })
    .join('');
}

function readLine(text: string): z.infer<typeof Line>[] {
  try {
    const line = Line.safeParse(JSON.parse(text));
    return line.success ? [line.data] : [];
  } catch {
    return []; // A killed process may leave half a line.
  }
}
