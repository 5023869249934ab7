import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../tools/infrastructure/folders.ts';

const RULES = ['recording.yml', 'alerts.yml'] as const;
const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const isUnit = (text: string): text is keyof typeof SECONDS => text in SECONDS;

/** A drill takes a minute where an operator waits an hour. */
const FACTOR = 60;
/** A rate needs some samples, and a drill has no time for a window of three days. */
const WINDOW_SECONDS_MIN = 4;
const SECONDS_MAX = 30;

/** A duration of Prometheus (`5m`), divided for a drill; `most` seconds at most. */
function shortened(duration: string, least: number): string {
  const [, number = '', unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  if (!isUnit(unit)) throw new Error(`not a duration with one unit: ${duration}`);
  const seconds = (Number(number) * SECONDS[unit]) / FACTOR;
  return `${String(Math.round(Math.min(SECONDS_MAX, Math.max(least, seconds)) * 1_000))}ms`;
}

/** A query with shorter windows. Numbers stay: what is late stays as late. */
export const shortenedQuery = (query: string): string =>
  query.replace(/\[(\d+[smhd])\]/g, (_whole, duration: string) => `[${shortened(duration, WINDOW_SECONDS_MIN)}]`);

const Rule = z.looseObject({ expr: z.string(), for: z.string().optional() });
const File = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(Rule) })) });

/** The rules of deploy/prometheus with every duration divided, as the text of one file (JSON is YAML). */
export function shortenedRules(): string {
  const groups = RULES.flatMap((file) => File.parse(parse(readFileSync(join(ROOT, 'deploy/prometheus', file), 'utf8'))).groups);
  return JSON.stringify({
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules.map(({ expr, for: waits, ...rule }) => ({
        ...rule,
        expr: shortenedQuery(expr),
        ...(waits === undefined ? {} : { for: shortened(waits, 0) }),
      })),
    })),
  });
}

const Alerts = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          labels: z.object({ severity: z.string() }),
          annotations: z.object({ runbook: z.string() }),
        }),
      ),
    }),
  ),
});

/** An alert, named with its severity: `OutboxStuck page`. */
export type Alert = { readonly name: string; readonly runbook: string };

/** All alerts of deploy/prometheus, in their order. */
export function allAlerts(): readonly Alert[] {
  const text = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8');
  return Alerts.parse(parse(text)).groups.flatMap(({ rules }) =>
    rules.map(({ alert, labels, annotations }) => ({
      name: `${alert} ${labels.severity}`,
      runbook: annotations.runbook,
    })),
  );
}
