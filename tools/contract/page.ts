import type { Sentence } from './sentences.ts';

/**
 * The entries of `proofs.json`: the tests that prove a sentence (`file: title`), or why it is not a rule for the
 * service.
 */
export type Proofs = Readonly<Record<string, readonly string[] | string>>;

const HEAD = `# The contract, sentence by sentence

Made by \`node tools/contract/write-page.ts\` from [the contract](spec/service-contract.md) and \`spec/proofs.json\`; a test compares. A sentence
that is added to the contract has no proof until it is named there: its anchor, and the tests that prove it as \`<file>: <title>\` (a title of
\`it.each\` as it stands in the code, where others have it too behind its \`describe\` and \`›\`), or in words why it is no rule for the service: \`gap\`, \`explains\`, \`leads in\`, \`partner\`.
`;

/** docs/contract.md: every sentence with its tests or its reason. */
export function pageOf(sentences: readonly Sentence[], proofs: Proofs): string {
  const sections = [...Map.groupBy(sentences, ({ section }) => section)].map(([section, rows]) =>
    [`## ${section}`, tableOf(rows, proofs)].join('\n\n'),
  );
  return `${[HEAD.trimEnd(), summaryOf(sentences, proofs), ...sections].join('\n\n')}\n`;
}

function summaryOf(sentences: readonly Sentence[], proofs: Proofs): string {
  const tested = sentences.filter(({ anchor }) => Array.isArray(proofs[anchor])).length;
  return `${String(sentences.length)} sentences: ${String(tested)} are proven by tests, ${String(sentences.length - tested)} are not rules for the service.`;
}

function tableOf(rows: readonly Sentence[], proofs: Proofs): string {
  const cells = rows.map(({ anchor, text }) => {
    const proof = proofs[anchor] ?? [];
    const isRule = typeof proof !== 'string';
    const tests = isRule ? proof.map(rendered).join('<br>') : '';
    return [`\`${anchor}\``, plain(text), tests, isRule ? 'proven' : proof];
  });
  const titles = ['anchor', 'sentence', 'tests', 'verdict'];
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((row) => [...(row[at] ?? '')].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length)).join(' | ')} |`;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

const rendered = (test: string): string =>
  `\`${test.slice(0, test.indexOf(': '))}\`: ${plain(test.slice(test.indexOf(': ') + 2))}`;

/** Escaped for a Markdown table cell. */
const plain = (text: string): string => text.replace(/[\\`*_<>[\]|{}$]/g, '\\$&');
