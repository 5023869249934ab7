import type { Alert } from './shortened-rules.ts';

/** An alert that fired: its name with its severity, after how many seconds, and what was done. */
export type Fired = { readonly alert: string; readonly seconds: number; readonly fault: string };

const HEAD = ['alert', 'fault', 'fired after, s'] as const;

/** `docs/operations/fire-drills.md`, as the formatter would leave it. */
export function renderPage(alerts: readonly Alert[], fired: readonly Fired[], at: Date): string {
  const faults = [...new Set(alerts.flatMap(({ name }) => fired.find(({ alert }) => alert === name)?.fault ?? []))];
  const rows = alerts.map(({ name, runbook }) => {
    const one = fired.find(({ alert }) => alert === name);
    const file = runbook.split('/').at(-1) ?? '';
    const [alert = '', severity = ''] = name.split(' ');
    return [
      `[${alert}](../runbooks/alerts/${file}) (\`${severity}\`)`,
      one === undefined ? '' : String(faults.indexOf(one.fault) + 1),
      String(one?.seconds ?? ''),
    ];
  });
  return [
    '# Fire drills',
    '',
    '`npm run test:monitoring` starts the system and a real Prometheus (on Debian it installs it if it may), makes every fault below in turn, and waits until its alerts fire.',
    'The rules are those of `deploy/prometheus` with every window and every `for` divided by sixty, and none longer than 30 s.',
    'Before the first fault, orders are paid for 40 s: no alert may fire. At the end, every query of every panel and of `deploy/prometheus/adapter.yml` must have had data, and the exemplars must name recorded traces.',
    '`npm run test:monitoring -- Outbox Circuit` makes only the faults of alerts with these words. A whole run without a problem writes this page.',
    '',
    `The last one: ${at.toISOString().slice(0, 10)}. The faults:`,
    '',
    ...faults.map((fault, index) => `${String(index + 1)}. ${fault}`),
    '',
    ...renderTable([HEAD, ...rows]),
    '',
  ].join('\n');
}

/** Cells as wide as the widest of their column; the first row is the head. */
function renderTable([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const widths = head.map((_title, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ];
}
