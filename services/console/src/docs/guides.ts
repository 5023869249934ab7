import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked } from 'marked';

/** A file below `docs/`, ready to be served. */
export type DocsFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The first heading of a guide; undefined for other files. */
  readonly title: string | undefined;
};

const FOLDER = new URL('../../../../docs/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = { json: 'application/json', png: 'image/png' };

/**
 * Everything below `docs/` by its path, with guides rendered as pages. Read once at start, so that a request never
 * names a file. Pages keep their names, so links between guides work.
 */
export function readDocs(): ReadonlyMap<string, DocsFile> {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    paths.flatMap((path): [string, DocsFile][] => {
      const extension = path.slice(path.lastIndexOf('.') + 1);
      if (extension === 'md') return [[path, guide(path, readFileSync(new URL(path, FOLDER), 'utf8'))]];
      const type = TYPES[extension];
      return type === undefined ? [] : [[path, { type, bytes: readFileSync(new URL(path, FOLDER)), title: undefined }]];
    }),
  );
}

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Whether a guide's link leads to a file of the repository that is not below `docs/`, and so not served. */
const leavesDocs = (path: string, href: string): boolean =>
  !/^(?:[a-z]+:|[#/])/i.test(href) && posix.join(posix.dirname(path), href).startsWith('..');

function guide(path: string, markdown: string): DocsFile {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation';
  const marked = new Marked({
    renderer: {
      // Anchors are named as on the site where these files are usually read, so that links to sections work.
      heading({ tokens, depth, text }) {
        const level = `h${String(depth)}`;
        return `<${level} id="${slug(text)}">${this.parser.parseInline(tokens)}</${level}>\n`;
      },
      link({ href, tokens }) {
        return leavesDocs(path, href) ? this.parser.parseInline(tokens) : false;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { type: 'text/html', bytes: Buffer.from(page(title, html)), title };
}

/** The list of all guides, as the start page. */
export function indexPage(docs: ReadonlyMap<string, DocsFile>): string {
  const items = [...docs].map(([path, { title }]) => `<li><a href="${path}">${escape(title ?? path)}</a></li>`);
  return page('Documentation', `<h1>Documentation</h1>\n<ul>\n${items.join('\n')}\n</ul>`);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><nav><a href="/docs/">Documentation</a></nav></header>
<main>
${main}
</main>
</body>
</html>
`;
}
