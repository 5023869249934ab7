import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { NAMESPACE } from './prometheus.ts';

const Rules = z.array(z.object({ seriesQuery: z.string(), name: z.object({ as: z.string() }), metricsQuery: z.string() }));
const Adapter = z.object({ rules: Rules, externalRules: Rules });

/** A metric of the autoscalers, and what prometheus-adapter asks Prometheus for when Kubernetes asks it for that. */
export type AdapterQuery = { readonly where: string; readonly expr: string };

const fill = (query: string, matchers: string) => query.replaceAll('<<.LabelMatchers>>', matchers).replaceAll('<<.GroupBy>>', 'pod');

/** The queries of deploy/prometheus/adapter.yml: for the pod of each of these programs, and for the namespace. */
export function adapterQueries(programs: readonly string[]): readonly AdapterQuery[] {
  const { rules, externalRules } = Adapter.parse(parse(readFileSync(join(ROOT, 'deploy/prometheus/adapter.yml'), 'utf8')));
  const inNamespace = `namespace="${NAMESPACE}"`;
  const asked = [
    ...rules.flatMap((rule) => programs.map((program) => ({ ...rule, matchers: `${inNamespace},pod=~"${program}-1"` }))),
    ...externalRules.map((rule) => ({ ...rule, matchers: inNamespace })),
  ];
  return asked.flatMap(({ name, seriesQuery, metricsQuery, matchers }) => [
    // It finds out which series there are before it asks for their values.
    { where: `adapter.yml: series of ${name.as}`, expr: seriesQuery },
    { where: `adapter.yml: ${name.as} of ${matchers}`, expr: fill(metricsQuery, matchers) },
  ]);
}
