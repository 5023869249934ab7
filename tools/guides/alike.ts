/** What differs from run to run, and `…`, the page's own mark for text that it leaves out. */
const SHAPES: readonly RegExp[] = [
  /…/, // first: what it stands for is anything
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, // an id
  /\d{4}-\d\d-\d\dT[\d:.]+Z/, // a moment
  /http:\/\/127\.0\.0\.1:\d+/, // an address of this machine
  /\b[0-9a-f]{32,128}\b/, // a hash, a nonce
  /(?<=\/)[\w-]{43}/, // the token in the address of a page
  /(?<![\w/+-])(?=[\w+/]*\d)[\w+/]{42,88}={0,2}/, // a key, a signature
];
const VOLATILE = new RegExp(SHAPES.map(({ source }) => `(${source})`).join('|'), 'g');

/** What stands for what: a value of the page, and the one that this run has in its place. */
export type Values = Map<string, string>;

/**
 * Whether the output is what the page shows. A value that differs from run to run may be another one, but the same
 * everywhere: it is learned in `values`, and from then on the page's means this one.
 */
export function isAlike(shown: string, output: string, values: Values): boolean {
  let pattern = '';
  let end = 0;
  const inPage: string[] = [];
  for (const match of shown.matchAll(VOLATILE)) {
    const [value] = match;
    const shape = SHAPES.find((_, index) => match[index + 1] !== undefined)?.source ?? '';
    pattern += `${literally(shown.slice(end, match.index))}(${value === '…' ? '[^]*?' : shape})`;
    end = match.index + value.length;
    inPage.push(value);
  }
  const found = new RegExp(`^${pattern}${literally(shown.slice(end))}$`).exec(output);
  if (found === null) return false;
  const learned = inPage.flatMap((value, index): [string, string][] => (value === '…' ? [] : [[value, found[index + 1] ?? '']]));
  const known = new Map(values);
  for (const [value, actual] of learned) {
    if ((known.get(value) ?? actual) !== actual) return false;
    known.set(value, actual);
  }
  for (const [value, actual] of known) values.set(value, actual);
  return true;
}

/** The text with this run's values in place of the page's. */
export function withValues(text: string, values: Values): string {
  if (values.size === 0) return text;
  const known = [...values.keys()].sort((a, b) => b.length - a.length).map(literally);
  return text.replaceAll(new RegExp(known.join('|'), 'g'), (value) => values.get(value) ?? value);
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
