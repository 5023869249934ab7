import type { Alert } from './shortened-rules.ts';

/** An alert that fired: its name with its severity, after how many seconds, and what was done. */
export type Fired = { readonly alert: string; readonly seconds: number; readonly fault: string };

/** `docs/operate/fire-drills.md`, as the formatter would leave it. */
export function renderPage(alerts: readonly Alert[], fired: readonly Fired[], at: Date): string {
  const found = alerts.flatMap((alert) => {
    const one = fired.find(({ alert: name }) => name === alert.name);
    return one === undefined ? [] : [{ ...alert, ...one }];
  });
  const faults = [...new Set(found.map(({ fault }) => fault))];
  const items = faults.map((fault) => {
    const theirs = found
      .filter((one) => one.fault === fault)
      .map(({ name, runbook, seconds }) => {
        const [alert = '', severity = ''] = name.split(' ');
        return `[${alert}](runbooks/alerts/${runbook.split('/').at(-1) ?? ''}) (\`${severity}\`) ${String(seconds)} s`;
      });
    return `- ${fault}: ${theirs.join(', ')}`;
  });
  return [
    '# Fire drills',
    '',
    '`npm run test:monitoring` starts the system and a real Prometheus (on Debian it installs it if it may), makes every fault below in turn, and waits until its alerts fire.',
    'The rules are those of `deploy/prometheus` with every window and every `for` divided by sixty, and none longer than 30 s.',
    'Before the first fault, orders are paid for 40 s: no alert may fire. At the end, every query of every panel and of `deploy/prometheus/adapter.yml` must have had data, and the exemplars must name recorded traces.',
    '`npm run test:monitoring -- Outbox Circuit` makes only the faults of alerts with these words. A whole run without a problem writes this page.',
    '',
    `The last one: ${at.toISOString().slice(0, 10)}. Each fault, and how long after it its alerts fired:`,
    '',
    ...items,
    '',
  ].join('\n');
}
