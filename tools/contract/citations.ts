/** What `spec/<page>#<anchor>` and `decisions/<page>` can refer to: the anchors of docs/spec, the pages of docs/decisions. */
export type Sources = {
  readonly pages: ReadonlyMap<string, ReadonlySet<string>>;
  readonly decisions: ReadonlySet<string>;
};

/** The anchors of a page: its headings, as GitHub and the console name them, and every `<a id>`. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
  const ids = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings, ...ids]);
}

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** A scenario (F01) or a finding of a review (S6, 19.4). */
const CODE = String.raw`(?:[A-K]\d{2}|[SM]\d{1,2}|L\d{1,2}|F\d|19(?:\.\d{1,2})?(?=[:,)]))`;
/** A test's title that begins with codes, after its status if it has one: `F01: …`, `403 FORBIDDEN: S4: …`, `'H01'`. */
const TITLE = new RegExp(String.raw`['"\`](?:\d{3}(?: [A-Z_]+)?: )?(${CODE}(?:(?:, | and | )${CODE})*)(?=: | [a-z0-9%"]|['"\`])`, 'g');
/** A title that ends with them: `409 PERIOD_NOT_ELAPSED: … (F01)`. */
const BEHIND = new RegExp(String.raw`\((${CODE}(?:(?:, | and )${CODE})*)\)(?=['"\`])`, 'g');
const BARE = new RegExp(String.raw`(?<![\w#./:'"\`-])(?:[A-K]\d{2}|[SM]\d|M1[01]|L\d|L10|F\d)(?![\w'"\`])`, 'g');
const COMMENT = /(?<=^|\s)(?:\/\*\*?[\s\S]*?\*\/|\/\/ .*$)/gm;
/** `decisions/idempotency` in a comment or a title. Paths of files and links are compared by `tools/tidy.test.ts`. */
const DECISION = /(?<![\w/'"`])decisions\/([a-z][\w-]*)(?![\w-]|\.(?:md|html))/g;
/** How the specification was cited before it was in this repository. */
const RETIRED = /\b[Ss]pec: (?=[A-Z])|\b[Dd]ecisions?[:,]? \(?"|\bdesign "/g;

/** Every citation in this file that refers to nothing, or is not spelled `spec/<page>#<anchor>`. */
export function badCitations(path: string, text: string, { pages, decisions }: Sources): readonly string[] {
  // A citation may continue on the next line of its comment.
  const joined = text.replace(/\n[ \t]*(?:\*|\/\/|--)(?=[ \t])/g, ' ').replace(/[ \t]+/g, ' ');
  const cited = [...joined.matchAll(/\bspec\/([\w-]+)#([\w/-]*\w)/g)]
    .filter(([, page = '', anchor = '']) => pages.get(page)?.has(anchor) !== true)
    .map(([citation]) => `${path}: ${citation} does not exist`);
  const decided = [...joined.matchAll(DECISION)]
    .filter(([, page = '']) => !decisions.has(page))
    .map(([citation]) => `${path}: ${citation} does not exist`);
  // Entries of the changelog keep the numbers that decisions had then.
  const numbered = [...(path === 'CHANGELOG.md' ? '' : joined).matchAll(/\bADR \d+/g)].map(
    ([citation]) => `${path}: ${citation} is a number, not a page of decisions/`,
  );
  const retired = [...joined.matchAll(RETIRED)].map(([found]) => `${path}: ${found.trim()} … names no anchor`);
  return [...cited, ...decided, ...numbered, ...retired, ...badCodes(path, text, pages)];
}

function badCodes(path: string, text: string, pages: Sources['pages']): readonly string[] {
  if (!/\.(?:ts|tsx|mts)$/.test(path)) return [];
  const known = (code: string) =>
    ['scenarios', 'findings'].some((page) => pages.get(page)?.has(code.toLowerCase().replace('.', '-')) === true);
  const bare = [...text.matchAll(COMMENT)].flatMap(([comment]) => comment.match(BARE) ?? []);
  const titles = /\.test\.tsx?$|\/test\//.test(path) ? [...text.matchAll(TITLE), ...text.matchAll(BEHIND)] : [];
  const unknown = titles.flatMap(([, codes = '']) => codes.split(/, | and | /)).filter((code) => !known(code));
  return [
    ...bare.map((code) => `${path}: ${code} in a comment has no anchor`),
    ...unknown.map((code) => `${path}: ${code} is neither a scenario nor a finding`),
  ];
}
