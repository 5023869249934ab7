/** One statement of the contract: a sentence, a list item, or a table row. */
export type Sentence = {
  /** Its key in `proofs.json`: its heading and its first words or cell. Inserting text elsewhere does not change it. */
  readonly anchor: string;
  /** The heading above it. */
  readonly section: string;
  /** As written; the cells of a row are joined by ` · `. */
  readonly text: string;
};

/** How many words identify a sentence, and a heading. */
const [WORDS, HEADING_WORDS] = [6, 4];

/**
 * Splits the contract into every sentence of its paragraphs and lists and every row of its tables, in order. Headings
 * and table headers are left out.
 */
export function sentencesOf(markdown: string): readonly Sentence[] {
  const named = blocksOf(markdown).flatMap(({ section, lines }) =>
    lines[0]?.startsWith('|') === true
      ? rowsOf(lines).map(({ name, text }) => ({ section, name, text }))
      : lines.flatMap(proseOf).map((text) => ({ section, name: firstWords(text, WORDS), text })),
  );
  const counts = new Map<string, number>();
  return named.map(({ section, name, text }) => {
    const wanted = `${slug(firstWords(section, HEADING_WORDS))}/${slug(name)}`;
    const count = (counts.get(wanted) ?? 0) + 1;
    counts.set(wanted, count);
    return { anchor: count === 1 ? wanted : `${wanted}-${String(count)}`, section, text };
  });
}

type Block = { readonly section: string; readonly lines: readonly string[] };

/** Blocks separated by empty lines, each with the heading above it. */
function blocksOf(markdown: string): readonly Block[] {
  let section = '';
  return markdown.split(/\n{2,}/).flatMap((block): Block[] => {
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    const [first = ''] = lines;
    if (!first.startsWith('#')) return [{ section, lines }];
    section = first.replace(/^#+ /, '');
    return [];
  });
}

/** The rows of a table, identified by their first cell, or the first two if that is not unique. */
function rowsOf([, , ...lines]: readonly string[]): readonly { readonly name: string; readonly text: string }[] {
  const rows = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map((cells) => {
    const [first = '', second = ''] = cells;
    const isOnly = rows.filter(([other]) => other === first).length === 1;
    return { name: isOnly ? first : `${first} ${second}`, text: cells.join(' · ') };
  });
}

/** The sentences of a paragraph or a list item. */
const proseOf = (line: string): readonly string[] => line.replace(/^(?:- |\d+\. )/, '').split(/(?<=\.)\s+(?=[A-Za-z{])/);

const firstWords = (text: string, count: number): string => text.split(/\s+/).slice(0, count).join(' ');

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
