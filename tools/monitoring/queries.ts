import { parser } from '@prometheus-io/lezer-promql';

/** A metric that a query reads, with the labels that it is filtered or grouped by. */
export type Selected = { readonly metric: string; readonly labels: readonly string[] };

/**
 * What a PromQL query reads. A label of a `by` or `on` clause counts for every metric below it; `isBroken`: the query does
 * not parse.
 */
export function readQuery(query: string): { readonly selected: readonly Selected[]; readonly isBroken: boolean } {
  const text = ({ from, to }: { readonly from: number; readonly to: number }) => query.slice(from, to);
  const selected: Selected[] = [];
  let isBroken = false;
  parser.parse(query).iterate({
    enter(node) {
      if (node.type.isError) isBroken = true;
      if (node.name !== 'VectorSelector') return;
      const [identifier] = node.node.getChildren('Identifier');
      const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      const own = matchers.flatMap((matcher) => matcher.getChildren('LabelName'));
      const grouping = [];
      for (let above = node.node.parent; above !== null; above = above.parent) {
        if (above.name !== 'AggregateExpr') continue;
        grouping.push(...(above.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []));
      }
      if (identifier === undefined) isBroken = true;
      else selected.push({ metric: text(identifier), labels: [...own, ...grouping].map(text) });
    },
  });
  return { selected, isBroken };
}
