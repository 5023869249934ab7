import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';

/** A metric as `docs/operate/metrics.md` describes it. */
export type DocumentedMetric = { readonly name: string; readonly type: string; readonly labels: readonly string[] };

/** The metrics of a section of the page: `Every program`, or a program's own. */
export function documentedMetrics(section: string): readonly DocumentedMetric[] {
  const page = readFileSync(join(ROOT, 'docs/operate/metrics.md'), 'utf8');
  const [, text] = page.split(`\n## ${section}\n`);
  if (text === undefined) throw new Error(`docs/operate/metrics.md has no section ${section}`);
  const [own = ''] = text.split('\n## ');
  return own.split('\n').flatMap((line) => {
    const [, name, type = '', labels = ''] = /^\| `(\w+)` +\| (\w+) +\| ([^|]*)\|/.exec(line) ?? [];
    return name === undefined
      ? []
      : [
          {
            name,
            type,
            labels: labels
              .split(',')
              .map((label) => label.trim())
              .filter(Boolean),
          },
        ];
  });
}

/** The programs that Prometheus scrapes and the rules know, by their label `job`. */
export const SCRAPED = ['gateway', 'payments', 'checkout', 'bindings', 'withdrawals', 'notifier', 'console', 'portal'] as const;

/** All metrics of the page, one entry for each name. */
export function allDocumentedMetrics(): ReadonlyMap<string, DocumentedMetric> {
  const metrics = ['Every program', ...SCRAPED, 'sandbox-bank'].flatMap(documentedMetrics);
  return new Map(metrics.map((metric) => [metric.name, metric]));
}

/** What prom-client collects by itself; the page names only the prefixes. */
export const isDefaultMetric = (name: string): boolean => /^(process|nodejs)_/.test(name);
